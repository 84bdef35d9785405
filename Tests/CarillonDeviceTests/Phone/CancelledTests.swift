import CarillonDevice
import Dispatch
import TestSupport
import Testing
import UIKit
import UserNotifications

@MainActor @Suite("A test that is cancelled") struct CancelledTests {
    /// An app that starts tasks at each opportunity.
    private final class BusyApp: UIResponder, UIApplicationDelegate {
        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            Task { _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) }
            application.registerForRemoteNotifications()
            return true
        }

        func application(
            _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
        ) async -> UIBackgroundFetchResult {
            await UNUserNotificationCenter.current().deliveredNotifications().isEmpty ? .noData : .newData
        }
    }

    private static func play(_ app: AppUnderTest) async throws {
        try await app.openAndAllow()
        try await app.suspend()
        try await app.push(["aps": ["content-available": 1]])
        try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
        try await app.tap("m1")
        let task = try await app.phone.value(in: app.bundleID) { UIApplication.shared.beginBackgroundTask() }
        try await app.suspend()
        #expect(task != .invalid)
        try await app.forceQuit()
    }

    @Test("at whatever moment, ends, and leaves the main queue to others", .timeLimit(.minutes(10)))
    func ends() async throws {
        var lasted = 0
        for rounds in 0... {
            let test = Task { try await AppUnderTest.run({ BusyApp() }, Self.play) }
            for _ in 0..<rounds {
                await withCheckedContinuation { continuation in
                    DispatchQueue.main.async { continuation.resume() }
                }
            }
            test.cancel()
            if case .success = await test.result { lasted += 1 }
            if lasted == 20 { break }
        }
        try await AppUnderTest.run({ BusyApp() }, Self.play)
    }
}
