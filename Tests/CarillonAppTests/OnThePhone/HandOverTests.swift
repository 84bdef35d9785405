import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit
import UserNotifications

/// An app whose handlers a test sets, and whose handler may be under way when the app ends.
private final class LateApp: UIResponder, UIApplicationDelegate, AppWithCarillon,
    @preconcurrency UNUserNotificationCenterDelegate
{
    /// Outlives the app's process, as the test does.
    @MainActor final class Log {
        var lines: [String] = [] {
            didSet { told.happened() }
        }
        let told = Occurrences()
        /// Set at launch, if at all.
        var setsHandlers = false
        /// The handlers begin and never return.
        var hangs = false
    }

    private(set) var carillon: Carillon?
    private var plan: HostApp.Plan?
    private var log: Log?

    convenience init(plan: HostApp.Plan, log: Log) {
        self.init()
        self.plan = plan
        self.log = log
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let plan, let log else { return false }
        UNUserNotificationCenter.current().delegate = self
        let carillon = plan.makeCarillon(for: application)
        self.carillon = carillon
        carillon.setNotificationCategories([.reply])
        if log.setsHandlers { setHandlers() }
        carillon.start(launchOptions: launchOptions)
        carillon.appIsReady()
        return true
    }

    func setHandlers() {
        guard let log else { return }
        carillon?.onMessage = { message in
            log.lines.append("message \(message.identifier)\(message.isRepeated ? ", repeated" : "")")
            if log.hangs { await Self.never() }
        }
        carillon?.onResponse = { response in
            let line = "\(response.action) \(response.message.identifier)"
            log.lines.append(line + (response.isRepeated ? ", repeated" : ""))
            if log.hangs { await Self.never() }
        }
    }

    private static func never() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { carillon?.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { carillon?.didReceive(response, withCompletionHandler: completionHandler) }
}

@MainActor
@Suite("A message is handed over when its handler has returned, and not before")
struct HandOverTests {
    private let log = LateApp.Log()

    private func install(_ fixture: AppFixture) async throws {
        try await fixture.open { [log] in LateApp(plan: $0, log: log) }
        try await fixture.goHome()
    }

    private func app(_ fixture: AppFixture) throws -> LateApp {
        try #require(fixture.phone.delegate(of: AppFixture.bundleID) as? LateApp)
    }

    /// A message that is in no list, so that it is only where the SDK keeps it.
    private func inApp(_ id: String, _ fixture: AppFixture) async throws {
        try await fixture.push([
            "aps": ["content-available": 1], "messageId": .string(id),
            "internalData": ["inAppDetails": ["clickUrl": "app:"], "silent": ["title": .string(id)]],
        ])
    }

    private func relaunch(_ fixture: AppFixture) async throws {
        try fixture.end()
        try await fixture.open()
        try await fixture.settle()
    }

    @Test("what came while there was no handler is told at the next launch, once")
    func noHandlerYet() async throws {
        try await AppFixture.run { fixture in
            try await install(fixture)
            for id in ["m1", "m2"] { try await inApp(id, fixture) }
            log.setsHandlers = true
            try await relaunch(fixture)
            #expect(log.lines == ["message m1", "message m2"])
            try await relaunch(fixture)
            #expect(log.lines == ["message m1", "message m2"])
        }
    }

    @Test("a handler that did not return before the app ended is called once more, told so, and then no more")
    func crash() async throws {
        try await AppFixture.run { fixture in
            log.setsHandlers = true
            try await install(fixture)
            log.hangs = true
            let push = Task { try await inApp("m1", fixture) }
            await log.told.reach(1)
            try fixture.end()
            try await fixture.open()
            await log.told.reach(2)
            #expect(log.lines == ["message m1", "message m1, repeated"])
            log.hangs = false
            try await relaunch(fixture)
            #expect(log.lines == ["message m1", "message m1, repeated"])
            #expect(fixture.log.all.contains(.handlerNeverReturned(identifier: "m1")))
            _ = try? await push.value
        }
    }

    @Test("a message that is recalled while another one's handler is under way is not told")
    func recalledWhileWaiting() async throws {
        try await AppFixture.run { fixture in
            try await install(fixture)
            for id in ["m1", "m2"] { try await fixture.silent(id) }
            (log.setsHandlers, log.hangs) = (true, true)
            try fixture.end()
            try await fixture.open()
            await log.told.reach(1)
            let removal = Task { try await fixture.removal("m2") }
            try await fixture.phone.until("m2 is gone") { _ in fixture.onScreen == ["m1"] }
            log.hangs = false
            fixture.clock.advance(by: AppLimits.completionHandlerTime)
            let push = Task { try await fixture.silent("m3") }
            await log.told.reach(2)
            #expect(log.lines == ["message m1", "message m3"])
            _ = (try? await removal.value, try? await push.value)
        }
    }

    @Test("a reply that was typed for an app without a handler is told at the next launch")
    func reply() async throws {
        try await AppFixture.run { fixture in
            try await install(fixture)
            try await fixture.push(
                [
                    "aps": ["alert": "A", "category": "CHAT"], "carillon": ["v": 1, "id": "m1"],
                ], type: .alert, collapseID: "m1")
            try await fixture.choose("reply", on: "m1", text: "hello")
            try await fixture.rest()
            #expect(log.lines.isEmpty)
            log.setsHandlers = true
            try await relaunch(fixture)
            #expect(log.lines == ["message m1", "replied(\"reply\", text: \"hello\") m1"])
        }
    }

    @Test("a sign-out empties what waits, and what was recalled meanwhile is not told")
    func notForTheNext() async throws {
        try await AppFixture.run { fixture in
            try await install(fixture)
            try await inApp("m1", fixture)
            try await fixture.open()
            try await fixture.settle()
            await (try app(fixture)).carillon?.signOut()
            for id in ["m2", "m3"] { try await inApp(id, fixture) }
            try await fixture.removal("m2")
            try app(fixture).setHandlers()
            try await fixture.settle()
            #expect(log.lines == ["message m3"])
        }
    }
}

extension UNNotificationCategory {
    fileprivate static var reply: UNNotificationCategory {
        UNNotificationCategory(
            identifier: "CHAT",
            actions: [UNTextInputNotificationAction(identifier: "reply", title: "Reply", options: [])],
            intentIdentifiers: [], options: [])
    }
}
