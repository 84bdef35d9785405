import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("An app on the phone") struct RoundTripOnThePhoneTests {
    private let id = TestPhone.bundleID

    @Test("an app asks, is allowed, and gets its token on the main-queue hop that tutorials make")
    func permissionAndToken() async throws {
        try await TestPhone.run { test in
            test.install { AskingApp($0) }
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.phone.permissionSheet?.appName == "Chime")
            try await test.phone.answerPermission(allow: true)
            try await test.phone.settled()
            #expect(
                test.callLog.lines == ["launched", "active", "resigns", "granted: true", "active", "token: 32 bytes"])
            #expect(test.phone.deviceToken(of: id)?.count == 32)
        }
    }

    @Test("a push to a suspended app shows as a banner, is in the list, counts and sounds, and a tap opens the app")
    func alertAndTap() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            #expect(test.phone.runningState(of: id) == .suspended)
            let entry = try await test.push(
                ["aps": ["alert": "Breaking News!", "sound": "default", "badge": 3]], collapseID: "m1")
            #expect(entry.presentation?.banner == true && entry.presentation?.list == true)
            #expect(entry.isFinished && entry.wake == nil)
            #expect(test.phone.banner?.notification.request.identifier == "m1")
            #expect(test.phone.deliveredNotifications(of: id).map(\.request.content.body) == ["Breaking News!"])
            #expect(test.phone.badge(of: id) == 3)
            #expect(test.phone.sounds.map(\.name) == ["default"])
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(
                test.callLog.lines.suffix(3) == [
                    "foreground", "\(UNNotificationDefaultActionIdentifier) on m1", "active",
                ])
            #expect(test.phone.deliveredNotifications(of: id).isEmpty)
            #expect(test.phone.banner == nil)
        }
    }

    @Test("in the foreground the app decides by willPresent")
    func foreground() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed { AskingApp($0) { $0.presentation = [.list] } }
            let entry = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(test.callLog.contains("willPresent m1"))
            #expect(entry.presentation?.list == true && entry.presentation?.banner == false)
            #expect(test.phone.banner == nil)
        }
    }

    @Test("a silent push wakes a suspended app, which is suspended again when it has answered")
    func silentWake() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            let entry = try await test.push(["aps": ["content-available": 1], "dlt": 1], type: .background)
            #expect(test.callLog.lines.last == "push while background")
            #expect(entry.wake?.kind == .called && entry.wake?.answer == .newData)
            #expect(test.phone.runningState(of: id) == .suspended)
        }
    }

    @Test("a silent push launches an app that is not running, and never one that was force-quit")
    func silentLaunch() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try test.phone.system.terminate(id)
            let entry = try await test.push(["aps": ["content-available": 1]], type: .background)
            #expect(entry.wake?.kind == .launched)
            #expect(test.callLog.lines.contains("launched by a push"))
            try await test.phone.forceQuit(id)
            let lost = try await test.push(["aps": ["content-available": 1]], type: .background)
            #expect(lost.wake?.kind == .notWoken)
            #expect(test.phone.runningState(of: id) == .forceQuit)
            let shown = try await test.push(["aps": ["alert": "Still shown"]])
            #expect(shown.presentation?.list == true)
        }
    }

    @Test("a tap on a notification of an app that is not running launches it with the payload, then tells the center")
    func coldTap() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try await test.phone.forceQuit(id)
            await test.phone.lock()
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            let already = test.callLog.lines.count
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(
                test.callLog.lines.dropFirst(already).filter { !$0.hasPrefix("granted") && !$0.hasPrefix("token") } == [
                    "launched by a push", "\(UNNotificationDefaultActionIdentifier) on m1", "active",
                ])
            #expect(!test.phone.isLocked)
            #expect(test.phone.frontApp == id)
        }
    }
}
