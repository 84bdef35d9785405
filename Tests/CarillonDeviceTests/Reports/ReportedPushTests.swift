import AppleNames
import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Pushes that developers reported, each with the address of the report: the phone behaves as their iPhones did.
@MainActor @Suite("Reported: pushes") struct ReportedPushTests {
    private let id = TestPhone.bundleID

    /// Runs a test with an allowed and suspended app that has localized texts.
    private func withStrings(
        _ strings: [String: String], _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        let bundle = AppBundle(
            bundleID: id, name: "Chime", strings: strings, makeDelegate: { AskingApp(CallLog()) })
        try await AppUnderTest.run(bundle) { app in
            try await app.suspendAllowed()
            try await body(app)
        }
    }

    private func declare(_ categories: Set<UNNotificationCategory>, in app: AppUnderTest) async throws {
        await app.phone.run(in: id) { UNUserNotificationCenter.current().setNotificationCategories(categories) }
        try await app.phone.settled()
    }

    private static func category(_ title: String) -> UNNotificationCategory {
        let action = UNNotificationAction(identifier: "act", title: title)
        return UNNotificationCategory(identifier: "dynamic", actions: [action], intentIdentifiers: [])
    }

    /// <https://github.com/jchambers/pushy/issues/799>
    @Test("a title stands in for a title-loc-key that the app lacks, and only then", arguments: [true, false])
    func literalTitle(_ hasKey: Bool) async throws {
        try await withStrings(hasKey ? ["GREETING": "Grüezi"] : [:]) { app in
            try await app.push(["aps": ["alert": ["title-loc-key": "GREETING", "title": "Hello"]]])
            #expect(app.shown.map(\.content.title) == [hasKey ? "Grüezi" : "Hello"])
        }
    }

    /// <https://github.com/EddyVerbruggen/nativescript-localize/issues/20>
    @Test(
        "of a push's arguments only %@ shows one, and the trace names another specifier",
        arguments: [
            ("%@ trains", "5 trains"), ("%1$@ trains", "5 trains"), ("%s trains", " trains"), ("%d trains", " trains"),
        ])
    func specifiers(_ format: String, _ text: String) async throws {
        try await withStrings(["COUNT": format]) { app in
            let push = try await app.push(["aps": ["alert": ["loc-key": "COUNT", "loc-args": ["5"]]]])
            #expect(app.shown.map(\.content.body) == [text])
            let notes = push.notes.filter {
                $0 == "the text of COUNT has a specifier other than %@, which shows nothing"
            }
            #expect(notes.isEmpty == format.contains("@"))
        }
    }

    /// <https://github.com/Redth/PushSharp/pull/492>
    @Test("an empty sound name plays the default sound")
    func emptySound() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            let push = try await app.push(["aps": ["alert": "Hello", "sound": ""]])
            #expect(push.presentation?.sound == "default" && app.phone.sounds.map(\.name) == ["default"])
            #expect(push.presentation?.why == ["the default sound: the app has no sound file without a name"])
        }
    }

    /// <https://github.com/phonegap/phonegap-plugin-push/issues/2282>
    @Test("in front, the badge of a push counts only if willPresent says so", arguments: [true, false])
    func badgeInFront(_ isLetThrough: Bool) async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { if !isLetThrough { $0.presentation.remove(.badge) } }
        }) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["badge": 100]])
            try await app.open()
            try await app.push(["aps": ["badge": 10]])
            #expect(app.badge == (isLetThrough ? 10 : 100))
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/17743>
    ///
    /// Not as reported: one report says that it clears badge and list. Apple documents no negative number.
    @Test("a negative badge in a push is named and counts for nothing")
    func negativeBadge() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "badge": 3]])
            let push = try await app.push(["aps": ["alert": "Again", "badge": -1]])
            #expect(app.badge == 3 && app.notifications.count == 2)
            #expect(push.notes.contains { $0.hasPrefix("ignored: aps.badge") })
        }
    }

    /// <https://github.com/havesource/cordova-plugin-push/issues/335>
    @Test("an app without permission gets a token, and silent pushes wake it")
    func denied() async throws {
        let callLog = CallLog()
        let bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { AskingApp(callLog) })
        try await AppUnderTest.run(bundle) { app in
            try await app.openAndDeny()
            #expect(!callLog.lines.contains { $0.hasPrefix("token") })
            await app.phone.run(in: id) { UIApplication.shared.registerForRemoteNotifications() }
            try await app.suspend()
            #expect(callLog.lines.contains { $0.hasPrefix("token") })
            #expect(try await app.push(["aps": ["content-available": 1]]).wake?.kind == .called)
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation?.isShown == false)
        }
    }

    /// <https://github.com/zoontek/react-native-permissions/pull/100>
    @Test("an app that registers before it asks is registered, and its permission is not determined")
    func registersFirst() async throws {
        try await AppUnderTest.run(asking: { callLog in
            WatchfulApp(callLog) { $0.onLaunch = { $0.registerForRemoteNotifications() } }
        }) { app, _ in
            try await app.open()
            let isRegistered = try await app.phone.value(in: id) {
                UIApplication.shared.isRegisteredForRemoteNotifications
            }
            #expect(isRegistered && app.phone.deviceToken(of: id) != nil)
            #expect(app.phone.authorizationStatus(of: id) == .notDetermined)
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/16198>,
    /// <https://github.com/firebase/firebase-ios-sdk/issues/3229>
    ///
    /// Not as reported of iOS 10, which called neither callback for a while; later reports have a new token.
    @Test("an app that unregisters gets no pushes, and registers again with a new token")
    func registersAgain() async throws {
        let bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { AskingApp(CallLog()) })
        try await AppUnderTest.run(bundle) { app in
            try await app.openAndAllow()
            let first = try #require(app.phone.deviceToken(of: id))
            await app.phone.run(in: id) { UIApplication.shared.unregisterForRemoteNotifications() }
            try await app.phone.settled()
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation == nil)
            await app.phone.run(in: id) { UIApplication.shared.registerForRemoteNotifications() }
            try await app.phone.settled()
            let second = try #require(app.phone.deviceToken(of: id))
            #expect(second != first)
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation?.isShown == true)
        }
    }

    /// <https://github.com/jpush/jpush-flutter-plugin/issues/209>
    @Test("in front, an alert with content-available comes to willPresent and to the fetch handler")
    func twoCallbacks() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.openAndAllow()
            try await app.push(["aps": ["alert": "Hello", "content-available": 1]], collapseID: "m1")
            #expect(callLog.lines.filter { $0 == "willPresent m1" }.count == 1)
            #expect(callLog.lines.filter { $0.hasPrefix("push while") }.count == 1)
        }
    }

    /// <https://github.com/wordpress-mobile/WordPress-iOS/issues/22227>
    @Test("an app in front that never calls the fetch handler is warned, and lives on")
    func fetchHandlerInFront() async throws {
        try await AppUnderTest.run(asking: { callLog in AskingApp(callLog) { $0.onPush = { _, _ in } } }) { app, _ in
            try await app.openAndAllow()
            let push = try await app.push(["aps": ["content-available": 1]])
            try await app.advance(by: .seconds(31))
            let notes = try app.entry(push.number).notes
            #expect(app.state == .foregroundActive && !notes.contains { $0.contains("terminated") })
            #expect(notes.contains { $0.hasSuffix("was not called within 30 s") })
        }
    }

    /// <https://github.com/katzer/cordova-plugin-badge/issues/133>
    @Test("a fetch handler that clears the badge takes away the notification of its own push")
    func ownNotification() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { app in
                app.onPush = { _, handler in
                    UIApplication.shared.applicationIconBadgeNumber = 0
                    handler(.newData)
                }
            }
        }) { app, _ in
            try await app.suspendAllowed()
            let push = try await app.push(["aps": ["alert": "Hello", "badge": 3, "content-available": 1]])
            #expect(push.presentation?.banner == true && app.notifications.isEmpty && app.phone.banner == nil)
            #expect(push.notes.contains("no longer in the list: a badge of 0 has cleared the app's list"))
        }
    }

    /// <https://github.com/OneSignal/OneSignal-iOS-SDK/pull/481>
    @Test("a category that is declared anew changes the buttons of older notifications too")
    func categoryAnew() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            for (title, message) in [("Like", "m1"), ("Dislike", "m2")] {
                try await declare([Self.category(title)], in: app)
                try await app.push(["aps": ["alert": "Hello", "category": "dynamic"]], collapseID: message)
            }
            #expect(app.phone.actions(of: "m1", in: id).map(\.title) == ["Dislike"])
        }
    }

    /// <https://github.com/holmesal/react-native-ios-notification-actions/issues/3>
    @Test("a background action of a force-quit app launches it and is delivered")
    func actionAfterForceQuit() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { $0.categories = [Self.category("Like")] }
        }) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "category": "dynamic"]], collapseID: "m1")
            try await app.forceQuit()
            try await app.choose("act", on: "m1")
            #expect(callLog.lines.filter { $0 == "launched" }.count == 2)
            #expect(callLog.contains("act on m1") && app.state == .suspended)
        }
    }

    /// <https://github.com/invertase/notifee/issues/577>
    @Test("an app is told of a notification that is cleared alone, and not of those that are cleared together")
    func clearAll() async throws {
        let category = UNNotificationCategory(
            identifier: "dynamic", actions: [], intentIdentifiers: [], options: .customDismissAction)
        try await AppUnderTest.run(asking: { callLog in AskingApp(callLog) { $0.categories = [category] } }) {
            app, callLog in
            try await app.suspendAllowed()
            for message in ["m1", "m2", "m3"] {
                try await app.push(["aps": ["alert": "Hello", "category": "dynamic"]], collapseID: message)
            }
            try await app.phone.dismiss("m1", in: id)
            try app.phone.clearAll(of: id)
            try await app.phone.settled()
            #expect(app.notifications.isEmpty)
            let told = callLog.lines.filter { $0.hasPrefix(UNNotificationDismissActionIdentifier) }
            #expect(told == ["\(UNNotificationDismissActionIdentifier) on m1"])
        }
    }

    /// <https://github.com/evollu/react-native-fcm/issues/275>,
    /// <https://github.com/home-assistant/iOS/pull/587>
    @Test("a push is removed by its request's identifier, and by no id that its sender put into the payload")
    func removalByOwnID() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"], "gcm.message_id": "7"], collapseID: "m1")
            let userInfo = try #require(app.shown.first).content.userInfo
            #expect(!userInfo.values.contains { $0 as? String == "m1" })
            try await app.open()
            for (identifier, count) in [("7", 1), ("m1", 0)] {
                await app.phone.run(in: id) {
                    UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [identifier])
                }
                try await app.phone.settled()
                #expect(app.notifications.count == count)
            }
        }
    }

    /// <https://github.com/tutao/tutanota/issues/7049>, <https://github.com/ls1intum/artemis-ios/pull/204>,
    /// <https://github.com/open-source-cooperative/keyring-rs/issues/268>
    @Test(
        "38: an app that a push wakes on a locked phone reads only what is accessible after the first unlock",
        arguments: [true, false])
    func keychain(_ isKept: Bool) async throws {
        var rules = PhoneRules()
        if !isKept { rules.ignored = [.lockClosesProtectedFiles] }
        try await AppUnderTest.run(
            rules: rules,
            asking: { callLog in
                AskingApp(callLog) { app in
                    app.onPush = { _, handler in
                        callLog.write(KeychainItem.allCases.map { "\($0.read())" }.joined(separator: " "))
                        handler(.newData)
                    }
                }
            }
        ) { app, callLog in
            try await app.openAndAllow()
            try await app.phone.value(in: id) {
                for item in KeychainItem.allCases { #expect(item.add("here") == errSecSuccess) }
            }
            await app.phone.lock()
            try await app.advance(by: .seconds(10))
            try await app.push(["aps": ["content-available": 1]])
            let refused = isKept ? errSecInteractionNotAllowed : errSecSuccess
            #expect(callLog.lines.last == "\(refused) \(refused) \(errSecSuccess)")
            await app.phone.unlock()
            try await app.push(["aps": ["content-available": 1]])
            #expect(callLog.lines.last == "0 0 0")
        }
    }
}

/// Items of the keychain with each kind of accessibility.
private enum KeychainItem: String, CaseIterable {
    /// Without the attribute, which means `whenUnlocked`.
    case usual
    case whenUnlocked, afterFirstUnlock

    private var query: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: rawValue]
    }

    func add(_ text: String) -> OSStatus {
        var attributes = query
        attributes[kSecValueData as String] = Data(text.utf8)
        switch self {
        case .usual: break
        case .whenUnlocked: attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
        case .afterFirstUnlock: attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        }
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    func read() -> OSStatus { SecItemCopyMatching(query as CFDictionary, nil) }
}
