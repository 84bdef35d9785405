import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Rules: the notification center and the service") struct NotificationCenterRulesTests {
    private let id = TestPhone.bundleID

    private func center(_ test: TestPhone) async throws -> UNUserNotificationCenter {
        let kept = KeptCenter()
        try await test.openAllowed { callLog in
            AskingApp(callLog) { _ in kept.center = UNUserNotificationCenter.current() }
        }
        return try #require(kept.center)
    }

    private func request(
        _ identifier: String, _ body: String, after seconds: TimeInterval? = nil, repeats: Bool = false
    ) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.body = body
        let trigger = seconds.map { UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: repeats) }
        return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
    }

    @Test("23: a request with the same identifier replaces the pending one, fires by the phone's clock, alerts again")
    func requests() async throws {
        try await TestPhone.run { test in
            let center = try await center(test)
            try await center.add(request("r1", "first", after: 60))
            try await center.add(request("r1", "second", after: 120))
            #expect(await center.pendingNotificationRequests().map(\.content.body) == ["second"])
            test.clock.advance(by: .seconds(119))
            try await test.phone.settled()
            #expect(test.shown.isEmpty)
            test.clock.advance(by: .seconds(1))
            try await test.phone.settled()
            #expect(test.shown.map(\.content.body) == ["second"])
            try await center.add(request("r1", "third"))
            try await test.phone.settled()
            #expect(test.shown.map(\.content.body) == ["third"])
            #expect(test.callLog.lines.filter { $0 == "willPresent r1" }.count == 2)
        }
    }

    @Test("23: a repeating request comes again and again; the limit is 64; without permission it is refused")
    func limits() async throws {
        var rules = PhoneRules()
        rules.pendingLimitKeepsNewest = false
        try await TestPhone.run(rules: rules) { test in
            let center = try await center(test)
            try await center.add(request("tick", "tick", after: 60, repeats: true))
            for _ in 0..<3 {
                test.clock.advance(by: .seconds(60))
                try await test.phone.settled()
            }
            #expect(test.callLog.lines.filter { $0 == "willPresent tick" }.count == 3)
            for number in 0..<70 { try await center.add(request("r\(number)", "x", after: 1000 - Double(number))) }
            let pending = await center.pendingNotificationRequests()
            #expect(pending.count == 64)
            #expect(!pending.contains { $0.identifier == "r0" } && pending.contains { $0.identifier == "r69" })
            try test.phone.settings.setNotificationsAllowed(false, for: id)
            await #expect(throws: UNError(.notificationsNotAllowed)) { try await center.add(request("no", "x")) }
        }
    }

    @Test("24: a push's identifier is its collapse id, and the app can remove it by that; else it is the apns-id")
    func identifiers() async throws {
        try await TestPhone.run { test in
            let center = try await center(test)
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await test.push(["aps": ["alert": "Hello"]])
            #expect(test.shown.map(\.identifier) == ["01020304-0506-0708-090A-0B0C0D0E0F10", "m1"])
            center.removeDeliveredNotifications(withIdentifiers: ["m1"])
            #expect(
                await center.deliveredNotifications().map(\.request.identifier) == [
                    "01020304-0506-0708-090A-0B0C0D0E0F10"
                ])
        }
    }

    @Test("23: what fell due while the phone was off comes when it is on again, and what is due later at its time")
    func dueWhileOff() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try await test.schedule(["soon": 60, "later": 600])
            await test.phone.powerOff()
            test.clock.advance(by: .seconds(120))
            try await test.phone.settled()
            #expect(test.shown.isEmpty)
            await test.phone.boot()
            try await test.phone.until("the first is there") {
                !$0.deliveredNotifications(of: TestPhone.bundleID).isEmpty
            }
            #expect(test.shown.map(\.identifier) == ["soon"])
            test.clock.advance(by: .seconds(480))
            try await test.phone.settled()
            #expect(test.shown.map(\.identifier) == ["later", "soon"])
        }
    }

    @Test("25: removing ignores what is not shown, and leaves pending requests alone")
    func removal() async throws {
        try await TestPhone.run { test in
            let center = try await center(test)
            try await center.add(request("later", "x", after: 60))
            try await center.add(request("now", "x"))
            try await test.phone.settled()
            center.removeDeliveredNotifications(withIdentifiers: ["later", "never"])
            #expect(await center.deliveredNotifications().map(\.request.identifier) == ["now"])
            center.removeAllDeliveredNotifications()
            #expect(await center.deliveredNotifications().isEmpty)
            #expect(await center.pendingNotificationRequests().count == 1)
            center.removePendingNotificationRequests(withIdentifiers: ["later"])
            #expect(await center.pendingNotificationRequests().isEmpty)
        }
    }

    @Test("25: what the app adds after a removal does not overtake it, although the removal waits for the app to run")
    func removalThenAdd() async throws {
        try await AppUnderTest.run(
            asking: {
                AskingApp($0) {
                    $0.onPush = { _, answer in
                        let center = UNUserNotificationCenter.current()
                        center.removeDeliveredNotifications(withIdentifiers: ["chat"])
                        let content = UNMutableNotificationContent()
                        content.body = "new"
                        center.add(UNNotificationRequest(identifier: "chat", content: content, trigger: nil))
                        answer(.newData)
                    }
                }
            }
        ) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "old"]], collapseID: "chat")
            try await app.push(["aps": ["content-available": 1]], type: .background)
            try await app.open()
            try await app.phone.settled()
            #expect(app.notifications.map(\.request.content.body) == ["new"])
        }
    }

    @Test("30: the service extension changes what is shown; only with mutable-content, text and permission")
    func serviceExtension() async throws {
        try await TestPhone.run { test in
            try await test.extensionApp { _ in ShoutingExtension() }
            try await test.push(["aps": ["alert": "hello", "mutable-content": 1]], collapseID: "m1")
            try await test.push(["aps": ["alert": "hello"]], collapseID: "m2")
            #expect(test.shown.map(\.content.body) == ["hello", "HELLO"])
            #expect(test.shown.map(\.identifier) == ["m2", "m1"])
        }
    }

    @Test("31: emptied content is suppressed with the filtering entitlement only")
    func filtering() async throws {
        try await TestPhone.run { test in
            try await test.extensionApp(entitlements: [.filtering]) { _ in EmptyingExtension() }
            let entry = try await test.push(["aps": ["alert": "hello", "mutable-content": 1]])
            #expect(test.shown.isEmpty)
            #expect(entry.presentation?.why == ["suppressed by the service extension"])
        }
    }

    @Test("32: the phone knows no expiration: what arrives late is shown")
    func expiration() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            app.clock.advance(by: .seconds(90 * 24 * 3600))
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation?.list == true)
        }
    }

    @Test("33: pushes that the service kept come in any order and number, and each is shown for itself")
    func anyOrder() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            for message in ["m3", "m1", "m2"] {
                try await app.push(["aps": ["alert": .string(message)]], collapseID: message)
            }
            #expect(app.shown.map(\.identifier) == ["m2", "m1", "m3"])
        }
    }

    @Test("34: an attachment is a local file of a known type and not too large")
    func attachments() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-attachments")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ byteCount: Int) throws -> URL {
            let url = folder.appending(path: name)
            try Data(count: byteCount).write(to: url)
            return url
        }
        let picture = try UNNotificationAttachment(identifier: "p", url: try file("a.jpg", 10))
        #expect(picture.type == "public.jpeg")
        #expect(throws: UNError(.attachmentInvalidFileSize)) {
            try UNNotificationAttachment(identifier: "p", url: try file("b.mp3", 5 * 1024 * 1024 + 1))
        }
        #expect(throws: UNError(.attachmentUnrecognizedType)) {
            try UNNotificationAttachment(identifier: "p", url: try file("c.txt", 1))
        }
        #expect(throws: UNError(.attachmentInvalidURL)) {
            try UNNotificationAttachment(identifier: "p", url: folder.appending(path: "none.png"))
        }
    }

    @Test("36: a Live Activity's push is no notification")
    func liveActivity() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            let entry = try await app.push(["aps": ["alert": "Hello", "event": "update"]], type: .liveactivity)
            #expect(app.shown.isEmpty && entry.presentation == nil)
            #expect(
                entry.notes.first?.contains("NSSupportsLiveActivities") == true
                    || entry.notes.first?.contains("lacks") == true)
        }
    }

    @Test(
        "37: a push replaces a local notification with the same identifier, unless switched off",
        arguments: [true, false])
    func replacesLocal(_ replaces: Bool) async throws {
        var rules = PhoneRules()
        rules.pushReplacesLocal = replaces
        try await TestPhone.run(rules: rules) { test in
            let center = try await center(test)
            try await center.add(request("m1", "local"))
            try await test.push(["aps": ["alert": "remote"]], collapseID: "m1")
            #expect(test.shown.map(\.content.body) == (replaces ? ["remote"] : ["remote", "local"]))
        }
    }

    @Test("38: the extension shares only an App Group's folder with its app, and runs after a force-quit too")
    func isolation() async throws {
        try await TestPhone.run { test in
            try await test.extensionApp(appGroups: ["group.chime"]) { FolderExtension($0) }
            try await test.phone.forceQuit(id)
            try await test.push(["aps": ["alert": "hello", "mutable-content": 1]])
            let app = try #require(test.phone.containerFolder(of: id))
            let group = try #require(test.phone.containerFolder(of: id, appGroup: "group.chime"))
            #expect(FileManager.default.fileExists(atPath: group.appending(path: "shared.txt").path))
            #expect(!FileManager.default.fileExists(atPath: app.appending(path: "own.txt").path))
            #expect(test.phone.runningState(of: id) == .forceQuit)
            try await test.phone.uninstall(id)
            #expect(!FileManager.default.fileExists(atPath: group.path))
        }
    }
}

/// Shows everything in capitals.
final class ShoutingExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.body = content.body.uppercased()
        contentHandler(content)
    }
}
