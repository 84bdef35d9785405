import CarillonCore
import CarillonDevice
import Foundation
import Synchronization
import TestSupport
import Testing
import UserNotifications

@testable import CarillonApp

@MainActor
@Suite("What the service extension makes of a message")
struct ExtensionContentTests {
    private struct WrongKey: Error, CustomStringConvertible {
        let description: String
    }

    private func shown(_ bench: Bench) -> UNNotificationContent? {
        bench.phone.deliveredNotifications(of: Bench.bundleID).first?.request.content
    }

    private func sealed(_ bench: Bench, _ id: String = "m1", until: Timestamp? = nil) async throws -> PushTrace {
        let key = CarillonKey(id: try MessageID(id), now: bench.clock.now, until: until)
        return try await bench.push(
            [
                "aps": ["alert": ["title": "News", "body": "text"], "mutable-content": 1], "carillon": key.json,
                "sealed": "nooN ta em teeM",
            ], type: .alert, collapseID: id)
    }

    // MARK: Decryption

    @Test("a sealed message is opened by the app's hook, and what it names is fetched, after a force-quit too")
    func decrypts() async throws {
        let server = try WebServer(["/a.png": .zeros(100)])
        defer { server.stop() }
        let url = try server.url("/a.png").absoluteString
        try await Bench.run { bench in
            try await HostExtension.suspended(
                bench,
                .init(
                    service: bench.service,
                    open: { content, sealed in
                        content.body = String(sealed.reversed())
                        content.userInfo["media_url"] = url
                    }))
            try await bench.phone.forceQuit(Bench.bundleID)
            _ = try await sealed(bench)
            #expect(shown(bench)?.title == "News" && shown(bench)?.body == "Meet me at Noon")
            #expect(shown(bench)?.attachments.count == 1)
            #expect(bench.service.receipts == ["received m1"])
        }
    }

    @Test("what cannot be opened is shown as it came, nothing half-done stays, and only the error's type is told")
    func cannotDecrypt() async throws {
        try await Bench.run { bench in
            let log = EventLog()
            try await HostExtension.suspended(
                bench,
                .init(
                    open: { content, _ in
                        content.title = "half"
                        throw WrongKey(description: "cannot open: Meet me at Noon")
                    }, log: log))
            _ = try await sealed(bench)
            #expect(shown(bench)?.title == "News" && shown(bench)?.body == "text")
            #expect(log.all == [.decryptionFailed(identifier: "m1", errorType: "WrongKey")])
        }
    }

    @Test("an expired message stays unseen, whatever was sealed in it")
    func expiredStaysSealed() async throws {
        try await Bench.run { bench in
            try await HostExtension.suspended(
                bench, .init(maySuppress: true, open: { content, sealed in content.body = sealed }))
            try await bench.phone.forceQuit(Bench.bundleID)
            _ = try await sealed(bench, until: bench.clock.now - .seconds(1))
            #expect(shown(bench) == nil)
        }
    }

    // MARK: Attachments

    @Test("a picture is fetched and attached")
    func attaches() async throws {
        let server = try WebServer(["/a.png": .zeros(100)])
        defer { server.stop() }
        try await Bench.run { bench in
            let log = EventLog()
            try await HostExtension.suspended(bench, .init(log: log))
            try await bench.visible("m1", media: server.url("/a.png").absoluteString)
            #expect(shown(bench)?.attachments.map(\.type) == ["public.png"] && log.all.isEmpty)
        }
    }

    @Test(
        "a file that is too large, of another kind than it says, or not there is left out, and that is told",
        arguments: [
            ("/large.png", "it is larger than 1000 bytes"), ("/page.png", "its server calls it text/html"),
            ("/absent.png", "its server said 404"),
        ])
    func leavesOut(path: String, reason: String) async throws {
        let server = try WebServer(["/large.png": .zeros(1001), "/page.png": .zeros(100, type: "text/html")])
        defer { server.stop() }
        try await Bench.run { bench in
            let log = EventLog()
            try await HostExtension.suspended(bench, .init(attachmentByteLimit: 1000, log: log))
            try await bench.visible("m1", media: server.url(path).absoluteString)
            #expect(shown(bench)?.body == "text" && shown(bench)?.attachments.isEmpty == true)
            #expect(log.all == [.attachmentFailed(identifier: "m1", reason: reason)])
        }
    }

    @Test(
        "a file that is too large is not read to its end, whether its server says how large it is or not",
        arguments: [true, false])
    func endsEarly(saysLength: Bool) async throws {
        // The server holds the connection afterwards: who waits for the end waits for ever.
        let server = try WebServer(["/large.png": .zeros(2 << 20, saysLength: saysLength, ends: false)])
        defer { server.stop() }
        try await Bench.run { bench in
            let log = EventLog()
            try await HostExtension.suspended(bench, .init(attachmentByteLimit: 1 << 20, log: log))
            try await bench.visible("m1", media: server.url("/large.png").absoluteString)
            #expect(shown(bench)?.attachments.isEmpty == true)
            #expect(log.all == [.attachmentFailed(identifier: "m1", reason: "it is larger than 1048576 bytes")])
        }
    }

    @Test("a kind that iOS does not show, and a foreign place without https, are not even asked for")
    func rules() {
        #expect(AttachmentWish(["media_url": "https://example.com/a.png"], byteLimit: .max)?.byteLimit == 10 << 20)
        #expect(AttachmentWish(["media_url": "https://example.com/a.png"], byteLimit: 5)?.byteLimit == 5)
        #expect(AttachmentWish(["media_url": "https://example.com/a.exe"], byteLimit: .max) == nil)
        #expect(AttachmentWish(["media_url": "http://example.com/a.png"], byteLimit: .max) == nil)
        #expect(AttachmentWish(["media_url": "file:///etc/a.png"], byteLimit: .max) == nil)
        #expect(AttachmentRule.allows(mimeType: "IMAGE/PNG", pathExtension: "png"))
        #expect(!AttachmentRule.allows(mimeType: "image/png", pathExtension: "mp4"))
    }

    // MARK: Time

    @Test(
        "a server that never answers: the opened text is shown without its picture, once, before time is up",
        arguments: [10, 30])
    func silentServer(systemLimit: Int) async throws {
        let server = try WebServer(["/never.png": .silent])
        defer { server.stop() }
        var rules = PhoneRules()
        rules.serviceExtensionSeconds = systemLimit
        try await Bench.run(rules: rules) { bench in
            try await HostExtension.suspended(
                bench, .init(service: bench.service, open: { content, sealed in content.body = sealed }))
            let key = CarillonKey(id: try MessageID("m1"), now: bench.clock.now)
            let payload: JSONValue = [
                "aps": ["alert": "text", "mutable-content": 1], "carillon": key.json, "sealed": "opened",
                "media_url": .string(try server.url("/never.png").absoluteString),
            ]
            let push = IncomingPush(
                topic: Bench.bundleID, pushType: .alert, payload: try payload.encoded(), collapseID: "m1",
                apnsID: UUID(), priority: 10)
            let delivery = Task { await bench.phone.receive(push) }
            for await _ in server.requests { break }
            #expect(shown(bench) == nil)
            // Below 25 s iOS is first (serviceExtensionTimeWillExpire), else the SDK's own deadline.
            bench.clock.advance(by: .seconds(min(systemLimit, 25)))
            try await bench.phone.settled()
            #expect(shown(bench)?.body == "opened" && shown(bench)?.attachments.isEmpty == true)
            server.hangUp()
            bench.clock.advance(by: .seconds(60))
            try await bench.phone.settled()
            #expect(bench.onScreen == ["m1"])
            let number = await delivery.value
            let notes = bench.phone.traces.first { $0.number == number }?.notes ?? []
            #expect(notes.allSatisfy { !$0.contains("completion handler") && !$0.contains("in time") }, "\(notes)")
            #expect(bench.service.receipts.contains("received m1"), "the picture does not hold up the receipts")
        }
    }

    @Test("the content goes out once, as it was then, whoever comes second")
    func once() {
        let bodies = Mutex<[String]>([])
        let answer = ContentAnswer(UNNotificationContent()) { content in bodies.withLock { $0.append(content.body) } }
        answer.change { $0.body = "best so far" }
        answer.give()
        answer.change { $0.body = "too late" }
        answer.give()
        #expect(bodies.withLock(\.self) == ["best so far"])
    }

    // MARK: The store

    @Test(
        "a damaged store starts fresh and says so, the message is shown, and the app gets in step at its next contact")
    func damagedStore() async throws {
        try await Bench.run { bench in
            let log = EventLog()
            try await HostExtension.suspended(bench, .init(service: bench.service, log: log))
            try await bench.phone.forceQuit(Bench.bundleID)
            let group = try #require(bench.phone.containerFolder(of: Bench.bundleID, appGroup: "group.host"))
            try Data("{\"half".utf8).write(to: group.appending(path: "Carillon/state.json"))
            try await bench.visible("m1")
            try await bench.visible("m2")
            #expect(bench.onScreen == ["m1", "m2"])
            #expect(log.all == [.storeWasDamaged(file: "state.json")])
            let registrations = bench.service.registrations.count
            bench.service[\.removals] = ["m1"]
            try await bench.open()
            try await bench.settle()
            #expect(bench.onScreen == ["m2"])
            #expect(bench.service.registrations.count == registrations + 1)
            #expect(bench.service.receipts.contains("recalled m1") && bench.service.receipts.contains("received m2"))
            #expect(bench.app?.carillon?.installation == bench.service.registrations.last?.installation)
        }
    }
}
