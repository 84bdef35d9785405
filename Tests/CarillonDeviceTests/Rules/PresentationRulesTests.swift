import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Rules: presentation") struct PresentationRulesTests {
    private let id = TestPhone.bundleID

    @Test("8: an app that does not answer willPresent in time gets nothing shown, and a later answer changes nothing")
    func lateAnswer() async throws {
        let kept = KeptAnswer()
        try await AppUnderTest.run(asking: { SlowApp($0, kept) }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.openApp(app.bundleID)
            let number = await app.phone.receive(try app.incoming(["aps": ["alert": "Hello"]]))
            try await app.advance(by: .seconds(10))
            kept.answer?([.banner])
            try await app.phone.settled()
            #expect(try app.entry(number).presentation?.isShown == false)
            #expect(app.phone.banner == nil)
        }
    }

    @Test("8: the first call of willPresent's handler wins; .alert means banner and list")
    func firstAnswer() async throws {
        let kept = KeptAnswer()
        try await AppUnderTest.run(asking: { SlowApp($0, kept) }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.openApp(app.bundleID)
            let number = await app.phone.receive(try app.incoming(["aps": ["alert": "Hello"]]))
            kept.answer?([.alert])
            kept.answer?([])
            try await app.phone.settled()
            let shown = try app.entry(number).presentation
            #expect(shown?.banner == true && shown?.list == true)
        }
    }

    @Test("9: without a center delegate a foreground app shows nothing by default, or what the switch says")
    func noDelegate() async throws {
        for options in [[], [.banner, .list]] as [UNNotificationPresentationOptions] {
            var rules = PhoneRules()
            rules.foregroundWithoutDelegate = options
            try await AppUnderTest.run(rules: rules, asking: { RegisteringApp($0) }) { app, _ in
                try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
                try await app.phone.openApp(app.bundleID)
                let shown = try await app.push(["aps": ["alert": "Hello"]]).presentation
                #expect(shown?.banner == options.contains(.banner))
            }
        }
    }

    @Test("10: a delegate that is set after launching is over misses the tap that launched the app, and is told why")
    func lateDelegate() async throws {
        try await AppUnderTest.run(asking: { LateDelegateApp($0) }) { app, callLog in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.phone.tap("m1", in: id)
            try await app.phone.settled()
            #expect(callLog.lines.isEmpty)
            #expect(app.phone.pushLog.last?.notes.contains { $0.contains("when the app finished launching") } == true)
        }
    }

    @Test("11: a response names the default action, a custom one, or carries the text that was typed")
    func responses() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.categories = [.news] } }) { app, callLog in
            try await app.suspendAllowed()
            for message in ["m1", "m2", "m3"] {
                try await app.push(["aps": ["alert": "Hello", "category": "news"]], collapseID: message)
            }
            try await app.phone.choose("archive", on: "m1", in: id)
            try await app.phone.settled()
            #expect(app.phone.runningState(of: id) == .suspended)
            try await app.phone.choose("reply", on: "m2", in: id, text: "Thanks")
            try await app.phone.choose("view", on: "m3", in: id)
            try await app.phone.settled()
            #expect(
                callLog.lines.filter { $0.contains(" on m") } == [
                    "archive on m1", "reply on m2 “Thanks”", "view on m3",
                ])
            #expect(app.phone.frontApp == id)
        }
    }

    @Test("12: a dismissal is told only for a category that asks for it; flicking a banner away never is")
    func dismissal() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.categories = [.news] } }) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "category": "news"]], collapseID: "m1")
            app.phone.swipeAwayBanner()
            try await app.phone.settled()
            #expect(app.shown.count == 1)
            try await app.phone.dismiss("m1", in: id)
            try await app.phone.settled()
            #expect(callLog.lines.last == "\(UNNotificationDismissActionIdentifier) on m1")
            #expect(app.shown.isEmpty)
        }
    }

    @Test("13: actions are those of the declared category; an unknown category has none; setting replaces all")
    func categories() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.categories = [.news] } }) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "category": "news"]], collapseID: "m1")
            try await app.push(["aps": ["alert": "Hello", "category": "weather"]], collapseID: "m2")
            #expect(app.phone.actions(of: "m1", in: id).map(\.identifier) == ["archive", "reply", "view"])
            #expect(app.phone.actions(of: "m2", in: id).isEmpty)
            await #expect(throws: PhoneError.self) { try await app.phone.choose("view", on: "m2", in: id) }
        }
    }

    @Test("13: the phone says that a category is unknown, and need not show it at all", arguments: [true, false])
    func unknownCategory(_ isShown: Bool) async throws {
        var rules = PhoneRules()
        rules.unknownCategoryIsShown = isShown
        try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) { $0.categories = [.news] } }) { app, _ in
            try await app.suspendAllowed()
            let known = try await app.push(["aps": ["alert": "Hello", "category": "news"]])
            #expect(known.presentation?.banner == true)
            #expect(known.presentation?.why.contains { $0.contains("no category") } == false)
            let unknown = try await app.push(["aps": ["alert": "Hello", "category": "weather"]])
            #expect(unknown.presentation?.banner == isShown)
            #expect(unknown.presentation?.why.contains { $0.contains("no category weather") } == true)
        }
    }

    @Test("13: an action that needs authentication works once the phone is unlocked")
    func authentication() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.categories = [.withSecretAction] } }) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "category": "secrets"]], collapseID: "m1")
            await app.phone.lock()
            try await app.phone.choose("reveal", on: "m1", in: id)
            #expect(!callLog.contains("reveal on m1") && app.phone.authenticationSheet != nil)
            await app.phone.unlock()
            try await app.phone.choose("reveal", on: "m1", in: id)
            #expect(callLog.contains("reveal on m1"))
        }
    }

    @Test("26: a tapped notification leaves the list, unless the switch says otherwise", arguments: [true, false])
    func tapRemoves(_ removes: Bool) async throws {
        var rules = PhoneRules()
        rules.tapRemovesFromList = removes
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.phone.tap("m1", in: id)
            #expect(app.shown.isEmpty == removes)
        }
    }

    @Test(
        "27: badge 0 hides the number and clears the list; with the switch off the list stays",
        arguments: [true, false])
    func badgeZero(_ clears: Bool) async throws {
        var rules = PhoneRules()
        rules.badgeZeroClearsList = clears
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "badge": 4]])
            try await app.push(["aps": ["alert": "Hello again"]], collapseID: "m2")
            #expect(app.phone.badge(of: id) == 4)
            try await app.push(["aps": ["badge": 0]])
            #expect(app.phone.badge(of: id) == 0)
            #expect(app.shown.isEmpty == clears)
        }
    }

    @Test("28: what has one thread-id lies on one another, the newest on top, and so does what has none")
    func groups() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            for (id, thread) in [("a1", "a"), ("n1", ""), ("b1", "b"), ("a2", "a"), ("n2", "")] {
                try await app.push(["aps": ["alert": "x", "thread-id": .string(thread)]], collapseID: id)
            }
            let groups = app.phone.notificationGroups(of: id)
            #expect(
                groups.map { $0.notifications.map(\.request.identifier) } == [["n2", "n1"], ["a2", "a1"], ["b1"]])
            #expect(groups.map(\.threadIdentifier) == ["", "a", "b"])
        }
    }

    @Test("28: thread-id reaches the app, and userInfo is the whole payload")
    func userInfo() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "thread-id": "t1"], "article": 7, "tags": ["a", .null]])
            let content = try #require(app.shown.first?.content)
            #expect(content.threadIdentifier == "t1")
            #expect(content.userInfo["article"] as? Int == 7)
            let aps = content.userInfo["aps"] as? [String: AnyObject]
            #expect(aps?["alert"] as? String == "Hello")
            #expect((content.userInfo["tags"] as? [Any])?.last is NSNull)
        }
    }

    @Test("29: passive goes to the list, time-sensitive through a Focus, critical through mute with the entitlement")
    func levels() async throws {
        let passive = try await RuleScenario.shown(
            ["aps": ["alert": "x", "interruption-level": "passive"]], PhoneRules())
        #expect(passive?.banner == false && passive?.list == true)
        let sensitive: JSONValue = ["aps": ["alert": "x", "interruption-level": "time-sensitive"]]
        let through = try await RuleScenario.shown(sensitive, PhoneRules(), entitlements: [.timeSensitive]) {
            $0.settings.setFocus(true)
        }
        #expect(through?.banner == true)
        let held = try await RuleScenario.shown(sensitive, PhoneRules()) { $0.settings.setFocus(true) }
        #expect(held?.banner == false)
        let critical: JSONValue = ["aps": ["alert": "x", "sound": ["critical": 1, "name": "default", "volume": 1]]]
        let heard = try await RuleScenario.shown(critical, PhoneRules(), entitlements: [.criticalAlerts]) {
            $0.settings.setMuted(true)
        }
        #expect(heard?.sound == "default")
    }

    @Test("29: a critical alert needs the person's permission beside the entitlement, and Settings takes it back")
    func criticalPermission() async throws {
        let critical: JSONValue = ["aps": ["alert": "x", "sound": ["critical": 1, "name": "default", "volume": 1]]]
        for asks in [false, true] {
            try await TestPhone.run { test in
                try await test.suspendedAllowed(entitlements: [.criticalAlerts]) {
                    AskingApp($0) { if asks { $0.options.insert(.criticalAlert) } }
                }
                test.phone.settings.setMuted(true)
                let trace = try await test.push(critical)
                #expect((trace.presentation?.sound != nil) == asks)
                #expect(
                    trace.presentation?.why.contains { $0.contains("does not allow critical alerts") } == !asks)
                guard asks else { return }
                try test.phone.settings.set(.criticalAlerts, to: false, for: TestPhone.bundleID)
                #expect(try await test.push(critical).presentation?.sound == nil)
            }
        }
    }

    @Test("a sound that the app has written to Library/Sounds, in its own folder or an App Group's, is played")
    func writtenSound() async throws {
        for group in [nil, "group.chime"] as [String?] {
            try await TestPhone.run { test in
                var bundle = AppBundle(
                    bundleID: TestPhone.bundleID, name: "Chime", appGroups: ["group.chime"],
                    makeDelegate: { AskingApp(CallLog()) })
                bundle.sounds = ["bell.caf": 1]
                test.phone.install(bundle)
                try test.phone.settings.setNotificationsAllowed(true, for: TestPhone.bundleID)
                let payload: JSONValue = ["aps": ["alert": "x", "sound": "own.caf"]]
                #expect(try await test.push(payload).presentation?.sound == "default")
                let folder = try #require(test.phone.containerFolder(of: TestPhone.bundleID, appGroup: group))
                let sounds = folder.appending(path: "Library/Sounds")
                try FileManager.default.createDirectory(at: sounds, withIntermediateDirectories: true)
                try Data().write(to: sounds.appending(path: "own.caf"))
                #expect(try await test.push(payload).presentation?.sound == "own.caf")
                let outside: JSONValue = ["aps": ["alert": "x", "sound": "../Sounds/own.caf"]]
                #expect(try await test.push(outside).presentation?.sound == "default")
            }
        }
    }
}

@MainActor final class KeptAnswer {
    var answer: (@Sendable (UNNotificationPresentationOptions) -> Void)?
}

/// Keeps willPresent's handler for later.
final class SlowApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    private let kept: KeptAnswer

    init(_ callLog: CallLog, _ kept: KeptAnswer) {
        self.kept = kept
        super.init()
    }

    override init() {
        kept = KeptAnswer()
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) { kept.answer = completionHandler }
}

extension UNNotificationCategory {
    static let news = UNNotificationCategory(
        identifier: "news",
        actions: [
            UNNotificationAction(identifier: "archive", title: "Archive"),
            UNTextInputNotificationAction(
                identifier: "reply", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: "Text"),
            UNNotificationAction(identifier: "view", title: "View", options: .foreground),
        ],
        intentIdentifiers: [], options: .customDismissAction)
}
