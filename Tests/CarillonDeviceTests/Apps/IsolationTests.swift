import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// A delegate beside the app's, on the main actor, with the methods of the center off it: the usual way in Swift 6.
@MainActor private final class HoppingCenterDelegate: NSObject, UNUserNotificationCenterDelegate {
    private(set) var opened: [String] = []

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([.banner, .list]) }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let identifier = response.notification.request.identifier
        Task { @MainActor in self.opened.append(identifier) }
        completionHandler()
    }
}

/// A delegate on the main actor whose methods of the center are async, and off the main actor.
@MainActor private final class AsyncCenterDelegate: NSObject, UNUserNotificationCenterDelegate {
    private(set) var opened: [String] = []

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list] }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async { await note(response.notification.request.identifier) }

    private func note(_ identifier: String) { opened.append(identifier) }
}

/// A delegate whose whole conformance to `UNUserNotificationCenterDelegate` is isolated to the main actor.
@MainActor private final class IsolatedCenterDelegate: NSObject {
    private(set) var opened: [String] = []
}

extension IsolatedCenterDelegate: @MainActor UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list] }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async { opened.append(response.notification.request.identifier) }
}

/// Keeps its center delegate, or lets it go.
private final class DelegatingApp: UIResponder, UIApplicationDelegate {
    private var kept: (any UNUserNotificationCenterDelegate)?
    private let make: @MainActor () -> any UNUserNotificationCenterDelegate

    init(_ make: @escaping @MainActor () -> any UNUserNotificationCenterDelegate) {
        self.make = make
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        kept = make()
        UNUserNotificationCenter.current().delegate = kept
        return true
    }

    func letGo() { kept = nil }

    func opened() -> [String] {
        (kept as? HoppingCenterDelegate)?.opened ?? (kept as? AsyncCenterDelegate)?.opened
            ?? (kept as? IsolatedCenterDelegate)?.opened ?? []
    }
}

/// Reads and clears the list off the main actor.
private actor ListCleaner {
    func clear(keeping kept: Set<String>) async -> Int {
        let center = UNUserNotificationCenter.current()
        let old = await center.deliveredNotifications().map(\.request.identifier).filter { !kept.contains($0) }
        center.removeDeliveredNotifications(withIdentifiers: old)
        return await center.deliveredNotifications().count
    }

    func announce(_ text: String) async throws {
        let content = UNMutableNotificationContent()
        content.body = text
        let request = UNNotificationRequest(identifier: "summary", content: content, trigger: nil)
        try await UNUserNotificationCenter.current().add(request)
        try await UNUserNotificationCenter.current().setBadgeCount(1)
    }
}

/// Leaves its pushes to an actor.
private final class TidyApp: UIResponder, UIApplicationDelegate {
    private let cleaner = ListCleaner()

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        let left = await cleaner.clear(keeping: Set(userInfo["keep"] as? [String] ?? []))
        do { try await cleaner.announce("\(left) left") } catch { return .failed }
        return .newData
    }
}

@MainActor @Suite("Actors and isolation, as apps of Swift 6 have them") struct IsolationTests {
    enum Form: Sendable, CaseIterable { case hopping, async, isolated }

    private func run(_ form: Form, _ body: @MainActor (AppUnderTest, DelegatingApp) async throws -> Void) async throws {
        try await AppUnderTest.run({
            DelegatingApp {
                switch form {
                case .hopping: HoppingCenterDelegate()
                case .async: AsyncCenterDelegate()
                case .isolated: IsolatedCenterDelegate()
                }
            }
        }) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            try await body(app, #require(app.delegate(as: DelegatingApp.self)))
        }
    }

    @Test("a center delegate beside the app's is asked and told, whatever its isolation", arguments: Form.allCases)
    func delegates(form: Form) async throws {
        try await run(form) { app, delegating in
            #expect(try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1").presentation?.banner == true)
            try await app.tap("m1")
            try await app.phone.until("the tap was heard") { _ in !delegating.opened().isEmpty }
            #expect(delegating.opened() == ["m1"])
            #expect(app.phone.delegateReport(of: app.bundleID).nearMisses == [])
        }
    }

    @Test("a center delegate that nobody keeps is gone, and the phone says why nothing was shown and nobody told")
    func released() async throws {
        try await run(.async) { app, delegating in
            delegating.letGo()
            let shown = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(shown.presentation?.isShown == false)
            #expect(shown.notes.contains { $0.contains("holds it weakly") })
            try await app.suspend()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m2")
            try await app.tap("m2")
            let tapped = try #require(app.phone.pushLog.last)
            #expect(tapped.notes.contains { $0.contains("response was lost") })
            #expect(tapped.notes.contains { $0.contains("holds it weakly") })
        }
    }

    @Test("an app that never had a center delegate is not told that it has lost one")
    func never() async throws {
        try await AppUnderTest.run({ TidyApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            let trace = try await app.push(["aps": ["alert": "Hello"]])
            #expect(!trace.notes.contains { $0.contains("holds it weakly") })
        }
    }

    @Test("an actor of the app's finds its phone: it clears the list, adds and counts, on several phones at once")
    func actors() async throws {
        try await withThrowingTaskGroup { group in
            for number in 1...3 {
                group.addTask { try await Self.housekeeping(number) }
            }
            try await group.waitForAll()
        }
    }

    private static func housekeeping(_ number: Int) async throws {
        try await AppUnderTest.run({ TidyApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            try await app.suspend()
            for id in 1...3 { try await app.push(["aps": ["alert": "Hello"]], collapseID: "m\(id)") }
            let kept = (1...number).map { JSONValue.string("m\($0)") }
            let trace = try await app.push(["aps": ["content-available": 1], "keep": .array(kept)])
            #expect(trace.wake?.answer == .newData && app.badge == 1)
            #expect(app.notifications.first?.request.content.body == "\(number) left")
            #expect(app.notifications.count == number + 1)
        }
    }
}
