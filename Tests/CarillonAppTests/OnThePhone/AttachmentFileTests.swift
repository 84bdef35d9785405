import CarillonCore
import CarillonDevice
import Foundation
import TestSupport
import Testing
import UserNotifications

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

@MainActor @Suite("The files of attachments") struct AttachmentFileTests {
    private func folder(_ fixture: AppFixture, appGroup: String? = nil) throws -> URL {
        try #require(fixture.phone.containerFolder(of: AppFixture.bundleID, appGroup: appGroup))
            .appending(path: "Carillon/attachments")
    }

    private func files(_ fixture: AppFixture, appGroup: String? = nil) throws -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder(fixture, appGroup: appGroup).path)) ?? []
    }

    private func shown(_ fixture: AppFixture) -> UNNotificationContent? {
        fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content
    }

    private func silent(
        _ id: String, _ media: URL, removing removal: String? = nil, _ fixture: AppFixture
    ) throws -> JSONValue {
        var key = CarillonKey(id: try MessageID(id), now: fixture.clock.now)
        key.silent = ["alert": ["title": "News", "body": "text"], "sound": "default"]
        if let removal { key.removals = [Removal(try MessageID(removal))] }
        return ["aps": ["content-available": 1], "carillon": key.json, "media_url": .string(media.absoluteString)]
    }

    /// Delivers a push without waiting for its end.
    private func begin(_ payload: JSONValue, _ fixture: AppFixture) throws -> Task<Int, Never> {
        let push = IncomingPush(
            topic: AppFixture.bundleID, pushType: .background, payload: try payload.encoded(), collapseID: nil,
            apnsID: UUID(), priority: 5)
        return Task { await fixture.phone.receive(push) }
    }

    // MARK: In the app

    @Test("a silent message is shown with its picture, and no file is left")
    func silentPicture() async throws {
        let server = try WebServer(["/picture": .zeros(100, type: "image/png")])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.push(silent("m1", server.url("/picture"), fixture))
            #expect(shown(fixture)?.attachments.map(\.type) == ["public.png"] && shown(fixture)?.body == "text")
            #expect(try files(fixture) == [])
            #expect(fixture.service.receipts == ["received m1", "shown m1"])
        }
    }

    @Test("a silent message whose picture is not there is shown without, and that is told")
    func silentWithout() async throws {
        let server = try WebServer(["/page.png": .zeros(100, type: "text/html")])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.push(silent("m1", server.url("/page.png"), fixture))
            #expect(shown(fixture)?.body == "text" && shown(fixture)?.attachments.isEmpty == true)
            #expect(
                fixture.log.all.contains(
                    .attachmentFailed(identifier: "m1", reason: "its server calls it text/html")))
            #expect(try files(fixture) == [])
        }
    }

    @Test("a picture that does not come holds up a silent message for 15 seconds, and the push's removals not at all")
    func silentDeadline() async throws {
        let server = try WebServer(["/half.png": .zeros(1000, ends: false)])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.silent("old")
            let delivery = try begin(silent("m1", server.url("/half.png"), removing: "old", fixture), fixture)
            for await _ in server.requests { break }
            try await fixture.phone.until("the old one is gone") { _ in fixture.onScreen.isEmpty }
            fixture.clock.advance(by: .seconds(14))
            try await fixture.phone.settled()
            #expect(fixture.onScreen == [])
            fixture.clock.advance(by: .seconds(1))
            try await fixture.phone.until("it is shown") { _ in !fixture.onScreen.isEmpty }
            #expect(fixture.onScreen == ["m1"] && shown(fixture)?.attachments.isEmpty == true)
            #expect(
                fixture.log.all.contains(.attachmentFailed(identifier: "m1", reason: "its time was over")))
            server.hangUp()
            _ = await delivery.value
            try await fixture.phone.settled()
            #expect(try files(fixture) == [])
        }
    }

    @Test("a silent message that is recalled while its picture is fetched is never shown")
    func silentRecalled() async throws {
        let server = try WebServer(["/never.png": .silent])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let delivery = try begin(silent("m1", server.url("/never.png"), fixture), fixture)
            for await _ in server.requests { break }
            _ = try await begin(
                [
                    "aps": ["content-available": 1],
                    "carillon": CarillonKey(now: fixture.clock.now, removals: [Removal(try MessageID("m1"))]).json,
                ], fixture
            ).value
            try await fixture.phone.until("the recall is confirmed") { _ in fixture.service.receipts == ["recalled m1"]
            }
            server.hangUp()
            _ = await delivery.value
            try await fixture.phone.settled()
            #expect(fixture.onScreen == [] && !fixture.service.receipts.contains("shown m1"))
        }
    }

    // MARK: In the extension

    @Test("a half-fetched picture is removed when the extension's time is over, while its server still holds the rest")
    func extensionDeadline() async throws {
        let server = try WebServer(["/half.png": .zeros(1000, ends: false)])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(fixture, .init(service: fixture.service))
            let key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now)
            let payload: JSONValue = [
                "aps": ["alert": "text", "mutable-content": 1], "carillon": key.json,
                "media_url": .string(try server.url("/half.png").absoluteString),
            ]
            let push = IncomingPush(
                topic: AppFixture.bundleID, pushType: .alert, payload: try payload.encoded(), collapseID: "m1",
                apnsID: UUID(), priority: 10)
            let delivery = Task { await fixture.phone.receive(push) }
            for await _ in server.requests { break }
            let group = "group.host"
            try await fixture.phone.until("a part has come") { _ in (try? files(fixture, appGroup: group).count) == 1 }
            fixture.clock.advance(by: .seconds(25))
            try await fixture.phone.until("it is shown") { _ in !fixture.onScreen.isEmpty }
            #expect(shown(fixture)?.body == "text" && shown(fixture)?.attachments.isEmpty == true)
            #expect(try files(fixture, appGroup: group) == [])
            server.hangUp()
            _ = await delivery.value
            try await fixture.phone.settled()
            #expect(try files(fixture, appGroup: group) == [])
        }
    }

    @Test("an attachment that iOS refuses to make leaves no file, and neither does one that is too large")
    func refused() async throws {
        let server = try WebServer(["/a.png": .zeros(100), "/large.png": .zeros(2000)])
        defer { server.stop() }
        let directory = try TemporaryFolder()
        let clock = ManualClock(start: StoreFixture.start)
        for name in ["a", "large"] {
            let files = AttachmentFiles(
                in: directory.url, at: clock.now, SharedRandomSource(SystemRandomNumberGenerator()))
            let loader = AttachmentLoader(isOnline: { true }, files: files) { _, file in
                #expect(FileManager.default.fileExists(atPath: file.path))
                throw UNError(.attachmentUnrecognizedType)
            }
            let request = try #require(
                AttachmentRequest(["media_url": server.url("/\(name).png").absoluteString], byteLimit: 1000))
            await #expect(throws: AttachmentLoader.Failure.self) {
                _ = try await loader.attachment(for: request, identifier: "m")
            }
        }
        #expect(server.paths.count == 2)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: directory.url.appending(path: "Carillon/attachments").path)
        #expect(left == [])
    }

    @Test("the files that an ended process has left go a minute later, and those of a running one stay")
    func forgotten() async throws {
        let directory = try TemporaryFolder()
        let folder = directory.url.appending(path: "Carillon/attachments")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let now = StoreFixture.start
        for age in [Duration.seconds(61), .seconds(59), .seconds(-61)] {
            let name = "\((now - age).millisecondsSince1970)-ab.part"
            try Data().write(to: folder.appending(path: name))
        }
        await AttachmentFiles.removeForgotten(in: directory.url, at: now)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["\((now - .seconds(59)).millisecondsSince1970)-ab.part"])
    }

    @Test("a type by which servers call a picture or a sound gives the extension that iOS knows")
    func types() {
        let types = [
            "image/jpg": "jpg", "image/pjpeg": "jpg", "audio/mp3": "mp3", "audio/wave": "wav", "audio/m4a": "m4a",
            "video/avi": "avi", "Image/JPG": "jpg",
        ]
        for (type, expected) in types {
            let url = URL(fileURLWithPath: "/media")
            #expect(AttachmentRule.pathExtension(of: url, mimeType: type) == expected, "\(type)")
        }
    }
}
