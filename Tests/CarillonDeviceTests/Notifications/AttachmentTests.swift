import CarillonDevice
import Foundation
import TestSupport
import Testing
import UIKit

/// The system's store of attachments.
@MainActor @Suite("Attachments") struct AttachmentTests {
    private let id = TestPhone.bundleID

    private func request(_ attachments: [UNNotificationAttachment], _ name: String = "n") -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = "Look"
        content.attachments = attachments
        return UNNotificationRequest(identifier: name, content: content, trigger: nil)
    }

    @Test("a file is moved into the system's store when the notification is handed over; a second use of it fails")
    func moved() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            let file = try await app.phone.value(in: id) { () throws -> URL in
                let file = FileManager.default.temporaryDirectory.appending(path: "Bild 📄.png")
                try Data("picture".utf8).write(to: file)
                return file
            }
            let requests = try await app.phone.value(in: id) {
                try ["n", "m"].map { request([try UNNotificationAttachment(identifier: "p", url: file)], $0) }
            }
            let errors = CallLog()
            try await app.phone.value(in: id) {
                for request in requests {
                    UNUserNotificationCenter.current().add(request) { error in
                        let isTaken = error == nil
                        MainActor.assumeIsolated { errors.write(isTaken ? "taken" : "refused") }
                    }
                }
            }
            try await app.phone.settled()
            #expect(errors.lines == ["taken", "refused"])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let stored = try #require(app.notifications.first?.request.content.attachments.first)
            #expect(stored.identifier == "p" && stored.url.lastPathComponent == file.lastPathComponent)
            #expect(try Data(contentsOf: stored.url) == Data("picture".utf8))
            let home = try #require(app.phone.containerFolder(of: id))
            #expect(!stored.url.path.hasPrefix(home.path))
            try await app.phone.uninstall(id)
            #expect(!FileManager.default.fileExists(atPath: stored.url.path))
        }
    }

    @Test("a file of the bundle is copied, and the store keeps what a notification still has")
    func copied() async throws {
        let folder = try TemporaryFolder()
        let picture = folder.url.appending(path: "logo.png")
        try Data("logo".utf8).write(to: picture)
        let callLog = CallLog()
        var bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { AskingApp(callLog) })
        bundle.resources = folder.url
        try await AppUnderTest.run(bundle) { app in
            try await app.openAndAllow()
            for name in ["first", "second"] {
                try await app.phone.value(in: id) {
                    let url = try #require(Bundle.main.url(forResource: "logo", withExtension: "png"))
                    let attachment = try UNNotificationAttachment(identifier: "", url: url)
                    UNUserNotificationCenter.current().add(request([attachment], name)) { _ in }
                }
                try await app.phone.settled()
            }
            let stored = app.notifications.flatMap(\.request.content.attachments)
            #expect(stored.count == 2 && Set(stored.map(\.url)).count == 2)
            for one in stored { #expect(try Data(contentsOf: one.url) == Data("logo".utf8)) }
            #expect(FileManager.default.fileExists(atPath: picture.path))
        }
    }

    @Test("a badge of 0 deletes the files with the list: the notifications can be added again only without them")
    func goneWithTheList() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            let errors = CallLog()
            @MainActor func add(_ request: UNNotificationRequest) async throws {
                try await app.phone.value(in: id) {
                    UNUserNotificationCenter.current().add(request) { error in
                        let isTaken = error == nil
                        MainActor.assumeIsolated { errors.write(isTaken ? "taken" : "refused") }
                    }
                }
                try await app.phone.settled()
            }
            let first = try await app.phone.value(in: id) { () throws -> UNNotificationRequest in
                let file = FileManager.default.temporaryDirectory.appending(path: "a.png")
                try Data("picture".utf8).write(to: file)
                return request([try UNNotificationAttachment(identifier: "p", url: file)])
            }
            try await add(first)
            let listed = try #require(app.notifications.first?.request)
            let stored = try #require(listed.content.attachments.first)
            try await add(listed)
            let again = try #require(app.notifications.first?.request)
            let file = try #require(again.content.attachments.first).url
            #expect(file != stored.url && FileManager.default.fileExists(atPath: file.path))
            for number in [1, 0] {
                try await app.phone.value(in: id) { UNUserNotificationCenter.current().setBadgeCount(number) { _ in } }
                try await app.phone.settled()
            }
            #expect(app.notifications.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try await add(again)
            #expect(errors.lines == ["taken", "taken", "refused"])
        }
    }
}
