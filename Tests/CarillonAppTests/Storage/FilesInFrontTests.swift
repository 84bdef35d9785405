import CarillonCore
import CarillonDevice
import Foundation
import Synchronization
import Testing

@testable import CarillonApp
@testable import CarillonMessaging

@MainActor @Suite("Files while the app is in front") struct FilesInFrontTests {
    private let store = StoreFixture()

    @Test(
        "an app in front reads and writes none of the store's files on the main queue, and remembers all after its end")
    func offTheMainQueue() async throws {
        try await AppFixture.run { fixture in
            let watched = Mutex<WatchedFiles?>(nil)
            var plan = try fixture.plan(signInToken: "anna")
            plan.storeFiles = { platform in
                let files = WatchedFiles(platform.storeFiles)
                watched.withLock { $0 = files }
                return files
            }
            try await fixture.openAllowed(plan)
            let files = try #require(watched.withLock { $0 })
            let carillon = try #require(fixture.app?.carillon)
            #expect(!files.notes.onMain.isEmpty, "a launch reads them before it goes on")
            files.forgetNotes()
            try await fixture.silent("m1")
            try await fixture.visible("m2")
            try carillon.setTags(["blue"])
            carillon.signIn()
            try await fixture.settle()
            carillon.markRead(try MessageID("m1"))
            try await fixture.tap("m2")
            try await fixture.settle()
            #expect(files.notes.onMain == [])
            #expect(files.notes.elsewhere.contains("append") && files.notes.elsewhere.contains("names"))
            #expect(fixture.callbackLog.lines.contains("message m1: text"))
            let lines = fixture.callbackLog.lines.count
            try fixture.end()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.app?.carillon?.tags == ["blue"] && fixture.app?.carillon?.user == "anna")
            let later = fixture.callbackLog.lines.dropFirst(lines)
            #expect(later.allSatisfy { !$0.hasPrefix("message") && !$0.hasPrefix("response") }, "\(later)")
        }
    }

    @Test("lines that wait behind a line that a full disk tore are not appended to it, and a snapshot makes them good")
    func fullDisk() async throws {
        let app = store.launch(inFront: { true })
        store.files[\.bytesBeforeCrash] = 5
        for name in ["a", "b", "c"] {
            app.update { $0.bury(name) }
            app.save()
        }
        await app.saved()
        store.files[\.bytesBeforeCrash] = nil
        #expect(store.relaunched.buried == 0 && !store.log.all.isEmpty)
        await app.saved()
        #expect(store.relaunched.buried == 3)
        app.update { $0.bury("d") }
        await app.saved()
        #expect(store.relaunched.buried == 4)
    }

    @Test("an app that leaves the foreground has written everything when it is told so, in the order of its changes")
    func leaving() throws {
        let app = store.launch(inFront: { true })
        for name in ["a", "b"] {
            app.update { $0.bury(name) }
            app.save()
        }
        #expect(store.relaunched.buried == 0, "nothing has waited for the disk")
        app.saveAtOnce()
        #expect(store.relaunched.buried == 2 && store.files[\.appends].count == 2)
    }

    @Test("what waits for the files in front begins in the order in which it was asked for")
    func order() async {
        let app = store.launch(inFront: { true })
        var begun: [Int] = []
        let callers = (0..<2000).map { number in
            Task.immediate { await app.takeOver { begun.append(number) } }
        }
        for caller in callers { await caller.value }
        #expect(begun.count == 2000 && begun == begun.sorted())
    }

    @Test("messages and pushes without text that come together reach an app in front in the order in which they came")
    func togetherInFront() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            for number in 1...12 {
                let payload: JSONValue = [
                    "aps": ["alert": "A"], "carillon": ["v": 1, "id": .string("m\(number)"), "rev": 1],
                ]
                await fixture.phone.receive(
                    IncomingPush(
                        topic: AppFixture.bundleID, pushType: .alert, payload: try payload.encoded(),
                        collapseID: "m\(number)",
                        apnsID: UUID(), priority: 10))
            }
            try await fixture.settle()
            let carillon = try #require(fixture.app?.carillon)
            for number in 13...24 {
                let key: [String: Any] = ["v": 1, "id": "m\(number)", "silent": ["alert": "A"]]
                carillon.didReceiveRemoteNotification(["aps": ["content-available": 1], "carillon": key]) { _ in }
            }
            try await fixture.settle()
            let lines = fixture.callbackLog.lines.filter { $0.hasPrefix("message ") }
            #expect(lines.map { $0.prefix { $0 != ":" } } == (1...24).map { "message m\($0)" })
        }
    }
}
