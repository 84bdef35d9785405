import CarillonCore
import CarillonDevice
import Foundation
import Synchronization
import TestSupport
import Testing
import UserNotifications

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

@MainActor
@Suite("What the service extension makes of a message")
struct ExtensionContentTests {
    private struct WrongKey: Error, CustomStringConvertible {
        let description: String
    }

    private func shown(_ fixture: AppFixture) -> UNNotificationContent? {
        fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content
    }

    private func sealed(_ fixture: AppFixture, _ id: String = "m1", until: Timestamp? = nil) async throws -> PushTrace {
        let key = CarillonKey(id: try MessageID(id), now: fixture.clock.now, until: until)
        return try await fixture.push(
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
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(
                fixture,
                .init(
                    service: fixture.service,
                    open: { content, sealed in
                        content.body = String(sealed.reversed())
                        content.userInfo["media_url"] = url
                    }))
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            _ = try await sealed(fixture)
            #expect(shown(fixture)?.title == "News" && shown(fixture)?.body == "Meet me at Noon")
            #expect(shown(fixture)?.attachments.count == 1)
            #expect(fixture.service.receipts == ["received m1"])
        }
    }

    @Test("what cannot be opened is shown as it came, nothing half-done stays, and only the error's type is told")
    func cannotDecrypt() async throws {
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(
                fixture,
                .init(
                    open: { content, _ in
                        content.title = "half"
                        throw WrongKey(description: "cannot open: Meet me at Noon")
                    }, log: log))
            _ = try await sealed(fixture)
            #expect(shown(fixture)?.title == "News" && shown(fixture)?.body == "text")
            #expect(log.all == [.decryptionFailed(identifier: "m1", errorType: "WrongKey")])
        }
    }

    @Test("an expired message stays unseen, whatever was sealed in it")
    func expiredStaysSealed() async throws {
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(
                fixture, .init(maySuppress: true, open: { content, sealed in content.body = sealed }))
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            _ = try await sealed(fixture, until: fixture.clock.now - .seconds(1))
            #expect(shown(fixture) == nil)
        }
    }

    // MARK: Attachments

    @Test("a picture is fetched and attached")
    func attaches() async throws {
        let server = try WebServer(["/a.png": .zeros(100)])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(fixture, .init(log: log))
            try await fixture.visible("m1", media: server.url("/a.png").absoluteString)
            #expect(shown(fixture)?.attachments.map(\.type) == ["public.png"] && log.all.isEmpty)
        }
    }

    @Test("a URL that does not say what it is goes by the type of the answer; one that may not be fetched is told")
    func byType() async throws {
        let server = try WebServer(["/picture": .zeros(100, type: "image/png")])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(fixture, .init(log: log))
            try await fixture.visible("m1", media: server.url("/picture").absoluteString)
            #expect(shown(fixture)?.attachments.map(\.type) == ["public.png"] && log.all.isEmpty)
            try await fixture.visible("m2", media: "http://example.com/a.png")
            #expect(log.all == [.attachmentFailed(identifier: "m2", reason: "its address is not https")])
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
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(fixture, .init(attachmentByteLimit: 1000, log: log))
            try await fixture.visible("m1", media: server.url(path).absoluteString)
            #expect(shown(fixture)?.body == "text" && shown(fixture)?.attachments.isEmpty == true)
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
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(fixture, .init(attachmentByteLimit: 1 << 20, log: log))
            try await fixture.visible("m1", media: server.url("/large.png").absoluteString)
            #expect(shown(fixture)?.attachments.isEmpty == true)
            #expect(log.all == [.attachmentFailed(identifier: "m1", reason: "it is larger than 1048576 bytes")])
        }
    }

    @Test("a file is what its URL or its type says, and a foreign place without https is not even asked")
    func rules() {
        func request(_ text: String, _ limit: Int = .max) -> AttachmentRequest? {
            AttachmentRequest(["media_url": text], byteLimit: limit)
        }
        #expect(request("https://example.com/a.png")?.byteLimit(pathExtension: "png") == 10 << 20)
        #expect(request("https://example.com/a.png", 5)?.byteLimit(pathExtension: "png") == 5)
        #expect(AttachmentRequest([:], byteLimit: .max) == nil)
        #expect(request("https://example.com/a")?.refusal == nil)
        for text in ["http://example.com/a.png", "file:///etc/a.png", "a.png"] {
            #expect(request(text)?.refusal?.isEmpty == false)
        }
        let types: [(String, String?, String?)] = [
            ("a.png", "IMAGE/PNG", "png"), ("a.mp4", "image/png", nil), ("a", "image/jpeg", "jpg"),
            ("a.php", "video/mp4", "mp4"), ("a", nil, nil), ("a", "text/html", nil), ("a.gif", nil, "gif"),
        ]
        for (name, mimeType, expected) in types {
            let url = URL(fileURLWithPath: "/" + name)
            #expect(AttachmentRule.pathExtension(of: url, mimeType: mimeType) == expected, "\(name)")
        }
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
        try await AppFixture.run(rules: rules) { fixture in
            try await HostExtension.suspended(
                fixture, .init(service: fixture.service, open: { content, sealed in content.body = sealed }))
            let key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now)
            let payload: JSONValue = [
                "aps": ["alert": "text", "mutable-content": 1], "carillon": key.json, "sealed": "opened",
                "media_url": .string(try server.url("/never.png").absoluteString),
            ]
            let push = IncomingPush(
                topic: AppFixture.bundleID, pushType: .alert, payload: try payload.encoded(), collapseID: "m1",
                apnsID: UUID(), priority: 10)
            let delivery = Task { await fixture.phone.receive(push) }
            for await _ in server.requests { break }
            #expect(shown(fixture) == nil)
            // Below 25 s iOS is first (serviceExtensionTimeWillExpire), else the SDK's own deadline.
            fixture.clock.advance(by: .seconds(min(systemLimit, 25)))
            try await fixture.phone.settled()
            #expect(shown(fixture)?.body == "opened" && shown(fixture)?.attachments.isEmpty == true)
            server.hangUp()
            fixture.clock.advance(by: .seconds(60))
            try await fixture.phone.settled()
            #expect(fixture.onScreen == ["m1"])
            let number = await delivery.value
            let notes = fixture.phone.traces.first { $0.number == number }?.notes ?? []
            #expect(notes.allSatisfy { !$0.contains("completion handler") && !$0.contains("in time") }, "\(notes)")
            #expect(fixture.service.receipts.contains("received m1"), "the picture does not hold up the receipts")
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
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(fixture, .init(service: fixture.service, log: log))
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            let group = try #require(fixture.phone.containerFolder(of: AppFixture.bundleID, appGroup: "group.host"))
            let folder = group.appending(path: "Carillon")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix("state")
            }
            let snapshot = try #require(files.first { $0.hasSuffix(".json") })
            for file in files { try Data("{\"half".utf8).write(to: folder.appending(path: file)) }
            try await fixture.visible("m1")
            try await fixture.visible("m2")
            #expect(fixture.onScreen == ["m1", "m2"])
            #expect(log.all == [.storeWasDamaged(file: snapshot)])
            let registrations = fixture.service.registrations.count
            fixture.service[\.removals] = ["m1"]
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen == ["m2"])
            #expect(fixture.service.registrations.count == registrations + 1)
            #expect(
                fixture.service.receipts.contains("recalled m1") && fixture.service.receipts.contains("received m2"))
            #expect(fixture.app?.carillon?.installationID == fixture.service.registrations.last?.installation)
        }
    }
}
