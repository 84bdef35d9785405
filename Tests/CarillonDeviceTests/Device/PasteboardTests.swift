import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Copies the code of a push when its button is chosen, as apps for sign-in codes do.
final class CopyingApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let copy = UNNotificationAction(identifier: "COPY", title: "Copy", options: [])
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(identifier: "CODE", actions: [copy], intentIdentifiers: [], options: [])
        ])
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let userInfo = response.notification.request.content.userInfo
        if response.actionIdentifier == "COPY" { UIPasteboard.general.string = userInfo["code"] as? String }
        completionHandler()
    }
}

@MainActor @Suite("The pasteboard") struct PasteboardTests {
    @Test("a button under a notification copies without opening the app, and what is copied is this phone's")
    func copies() async throws {
        try await AppUnderTest.run({ CopyingApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            try await app.suspend()
            try await app.push(["aps": ["alert": "Your code", "category": "CODE"], "code": "1234"], collapseID: "m1")
            try await app.choose("COPY", on: "m1")
            #expect(app.phone.copiedText == "1234" && app.state == .suspended)
            try await AppUnderTest.run({ CopyingApp() }) { other in #expect(other.phone.copiedText == nil) }
        }
    }

    @Test("an app pastes what the person has copied elsewhere, a link as a link")
    func pastes() async throws {
        try await AppUnderTest.run({ CopyingApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            app.phone.copiedText = "https://example.com/"
            await app.phone.run(in: app.bundleID) {
                #expect(UIPasteboard.general.hasURLs && UIPasteboard.general.url?.host == "example.com")
                UIPasteboard.general.url = nil
                #expect(!UIPasteboard.general.hasStrings)
            }
            app.phone.copiedText = "no link"
            await app.phone.run(in: app.bundleID) { #expect(!UIPasteboard.general.hasURLs) }
        }
    }
}
