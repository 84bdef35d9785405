import CarillonApp
import CarillonCore
import CarillonDevice
import Testing
import UserNotifications

@MainActor
@Suite("The service extension")
struct ExtensionTests {
    private func suspended(_ bench: Bench, sendsReceipts: Bool = true, maySuppress: Bool = false) async throws {
        try await HostExtension.suspended(
            bench, HostExtension.Plan(service: sendsReceipts ? bench.service : nil, maySuppress: maySuppress))
    }

    @Test("after a force-quit, a visible push still takes recalled messages away, and says so")
    func removesAfterForceQuit() async throws {
        try await Bench.run { bench in
            try await suspended(bench)
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.visible("old")
            try await bench.visible("new", removals: ["old"])
            #expect(bench.onScreen == ["new"])
            #expect(bench.phone.runningState(of: Bench.bundleID) == .forceQuit)
            #expect(bench.service.receipts == ["received old", "recalled old", "received new"])
        }
    }

    @Test(
        "a message that was recalled before it came is blanked, or with the entitlement not shown at all",
        arguments: [true, false])
    func recalledFirst(maySuppress: Bool) async throws {
        try await Bench.run { bench in
            try await suspended(bench, maySuppress: maySuppress)
            try await bench.removal("m1")
            try await bench.phone.forceQuit(Bench.bundleID)
            let sounds = bench.phone.sounds.count
            try await bench.visible("m1")
            let body = bench.phone.deliveredNotifications(of: Bench.bundleID).first?.request.content.body
            #expect(body == (maySuppress ? nil : "This message is no longer available."))
            #expect(bench.phone.sounds.count == sounds && bench.phone.banner == nil)
        }
    }

    @Test("an expired message is blanked, and the app takes it away")
    func expired() async throws {
        try await Bench.run { bench in
            try await suspended(bench)
            try await bench.visible("m1", until: bench.clock.now - .seconds(1))
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts.contains("expired m1 blanked"))
        }
    }

    @Test("a resend of a known message comes without banner and sound")
    func resend() async throws {
        try await Bench.run { bench in
            try await suspended(bench)
            try await bench.visible("m1")
            let sounds = bench.phone.sounds.count
            try await bench.visible("m1", attempt: 2)
            let content = bench.phone.deliveredNotifications(of: Bench.bundleID).first?.request.content
            #expect(content?.interruptionLevel == .passive && content?.sound == nil)
            #expect(bench.phone.sounds.count == sounds)
            #expect(bench.service.receipts.filter { $0 == "shown m1" }.count == 1)
        }
    }

    @Test("without a service of its own the extension leaves its receipts to the app")
    func leavesReceipts() async throws {
        try await Bench.run { bench in
            try await suspended(bench, sendsReceipts: false)
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.visible("m1")
            #expect(bench.service.receipts.isEmpty)
            try await bench.open()
            try await bench.settle()
            #expect(bench.service.receipts == ["received m1", "shown m1"])
        }
    }

    @Test("only known kinds of media are attached, and only from https")
    func media() {
        #expect(AttachmentRule.byteLimit(pathExtension: "JPG") == 10 << 20)
        #expect(AttachmentRule.byteLimit(pathExtension: "mp3") == 5 << 20)
        #expect(AttachmentRule.byteLimit(pathExtension: "mp4") == 50 << 20)
        #expect(AttachmentRule.byteLimit(pathExtension: "exe") == nil)
    }
}
