import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit
import UserNotificationsUI

@MainActor @Suite("Every completion handler") struct HandlerTests {
    private let id = TestPhone.bundleID

    private func notes(_ test: TestPhone) -> [String] { test.phone.traces.flatMap(\.notes) }

    @Test("a shortcut's, called twice or never, is named; called once it leaves no trace")
    func shortcut() async throws {
        for (calls, what) in [(1, nil), (2, "called again (2 times)"), (0, "not called within 30 s")] {
            try await AppUnderTest.run(asking: {
                WatchfulApp($0) { $0.onShortcut = { for _ in 0..<calls { $0(true) } } }
            }) { app, callLog in
                try await app.phone.openApp(id)
                try await app.phone.chooseShortcut(
                    UIApplicationShortcutItem(type: "compose", localizedTitle: "Compose"), of: id)
                try await app.advance(by: .seconds(30))
                #expect(callLog.contains("shortcut compose"))
                // Before time passes, a handler that nothing will call is named once.
                #expect(app.phone.traces.count == (what == nil ? 0 : calls == 0 ? 2 : 1), "\(app.phone.traces)")
                if let what {
                    #expect(app.phone.traces.last?.event == "performActionFor")
                    #expect(
                        app.phone.traces.flatMap(\.notes).last?.contains(
                            "the completion handler of performActionFor was \(what)") == true)
                }
            }
        }
    }

    @Test("shortcuts that an app has set outlive it, and come back with what they carry")
    func shortcutItems() async throws {
        try await AppUnderTest.run(asking: { WatchfulApp($0) }) { app, callLog in
            try await app.phone.openApp(id)
            await app.phone.run(in: id) {
                let item = UIMutableApplicationShortcutItem(type: "story", localizedTitle: "Story")
                item.userInfo = ["page": NSNumber(value: 7)]
                UIApplication.shared.shortcutItems = [item]
                item.localizedTitle = "changed afterwards"
            }
            try app.phone.system.terminate(id)
            let item = try #require(app.phone.shortcutItems(of: id).first)
            #expect(item.localizedTitle == "Story" && item.userInfo?["page"] as? Int == 7)
            try await app.phone.chooseShortcut(item, of: id)
            try await app.phone.settled()
            #expect(callLog.lines.suffix(2) == ["shortcut story", "active"])
        }
    }

    @Test("a content extension's, called twice, late or never, is named on its notification")
    func contentExtension() async throws {
        for (calls, what) in [(2, "called again (2 times)"), (0, "not called within 30 s")] {
            try await TestPhone.run { test in
                var bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { AskingApp(CallLog()) })
                bundle.contentExtensions = [ContentExtension(categories: ["story"]) { CarelessContent.calling(calls) }]
                test.phone.install(bundle)
                try test.phone.settings.setNotificationsAllowed(true, for: id)
                try await test.phone.openApp(id)
                await test.phone.run(in: id) {
                    UNUserNotificationCenter.current().setNotificationCategories([.story])
                }
                await test.phone.pressHome()
                let push = try await test.push(["aps": ["alert": "Hello", "category": "story"]], collapseID: "m1")
                try await test.phone.screen.expand("m1", in: id)
                try await test.phone.choose("like", on: "m1", in: id)
                test.clock.advance(by: .seconds(30))
                try await test.phone.settled()
                #expect(
                    try test.entry(push.number).notes.contains {
                        $0.contains("the completion handler of the content extension was \(what)")
                    })
            }
        }
    }

    @Test("the fetch handler that opening calls again (rule 20) is watched as well")
    func fetchOnOpening() async throws {
        var rules = PhoneRules()
        rules.openingCallsFetchHandlerAgain = true
        try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) { $0.onPush = { _, _ in } } }) { app, _ in
            try await app.suspendAllowed()
            let push = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.phone.tap("m1", in: id)
            try await app.advance(by: .seconds(30))
            #expect(
                try app.entry(push.number).notes.contains(
                    "the completion handler of didReceiveRemoteNotification was not called within 30 s")
            )
        }
    }

    @Test("19: that of a plain alert in the foreground too, for an app without a center delegate")
    func fetchInForeground() async throws {
        for (calls, what) in [(2, "called again (2 times)"), (0, "was not called within 30 s")] {
            try await AppUnderTest.run(asking: {
                WatchfulApp($0) { $0.onFetch = { for _ in 0..<calls { $0(.newData) } } }
            }) { app, _ in
                try app.phone.settings.setNotificationsAllowed(true, for: id)
                try await app.phone.openApp(id)
                let number = await app.phone.receive(try app.incoming(["aps": ["alert": "Hello"]]))
                try await app.advance(by: .seconds(30))
                #expect(try app.entry(number).notes.contains { $0.contains(what) })
                #expect(app.phone.runningState(of: id) == (calls == 2 ? .notRunning : .foregroundActive))
            }
        }
    }

    @Test("a service extension's, called after its time, is named, and the original was shown")
    func lateServiceExtension() async throws {
        try await TestPhone.run { test in
            let kept = KeptContentHandler()
            try await test.extensionApp { _ in LateExtension.keeping(in: kept) }
            test.phone.receiveLater(
                try TestPhone.push(["aps": ["alert": "Hello", "mutable-content": 1]], collapseID: "m1"))
            try await test.phone.until("the extension works") { _ in kept.handler != nil }
            test.clock.advance(by: .seconds(30))
            try await test.phone.settled()
            kept.handler?(UNNotificationContent())
            try await test.phone.settled()
            #expect(test.shown.map(\.content.body) == ["Hello"])
            #expect(
                notes(test).contains {
                    $0.contains("the completion handler of the service extension was called too late")
                })
        }
    }

    @Test("didReceive's, called after its time, is named as late")
    func lateResponse() async throws {
        let kept = KeptResponseHandler()
        try await AppUnderTest.run(asking: { _ in LateResponseApp.keeping(in: kept) }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.openApp(app.bundleID)
            await app.phone.pressHome()
            let push = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.phone.tap("m1", in: id)
            try await app.advance(by: .seconds(30))
            kept.handler?()
            try await app.phone.settled()
            #expect(
                try app.entry(push.number).notes.contains {
                    $0.contains("the completion handler of didReceive was called too late")
                })
        }
    }
}

private final class CarelessContent: UIViewController, UNNotificationContentExtension {
    private var calls = 0

    static func calling(_ calls: Int) -> CarelessContent {
        let content = CarelessContent()
        content.calls = calls
        return content
    }

    func didReceive(_ notification: UNNotification) {}

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) { for _ in 0..<calls { completion(.doNotDismiss) } }
}

extension UNNotificationCategory {
    fileprivate static let story = UNNotificationCategory(
        identifier: "story", actions: [UNNotificationAction(identifier: "like", title: "Like")], intentIdentifiers: [])
}

@MainActor private final class KeptContentHandler {
    var handler: (@Sendable (UNNotificationContent) -> Void)?
}

@MainActor private final class KeptResponseHandler {
    var handler: (@Sendable () -> Void)?
}

private final class LateExtension: UNNotificationServiceExtension {
    private var kept: KeptContentHandler?

    static func keeping(in kept: KeptContentHandler) -> LateExtension {
        let made = LateExtension()
        made.kept = kept
        return made
    }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) { MainActor.assumeIsolated { [kept] in kept?.handler = contentHandler } }
}

private final class LateResponseApp: UIResponder, UIApplicationDelegate,
    @preconcurrency UNUserNotificationCenterDelegate
{
    private var kept: KeptResponseHandler?

    static func keeping(in kept: KeptResponseHandler) -> LateResponseApp {
        let made = LateResponseApp()
        made.kept = kept
        return made
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) { kept?.handler = completionHandler }
}
