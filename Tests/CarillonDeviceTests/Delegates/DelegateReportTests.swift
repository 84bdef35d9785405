import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Compiles, and hears of nothing.
final class MistypingApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func application(
        _ application: UIApplication, didReciveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.newData) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions, Bool) -> Void
    ) { completionHandler([.banner], true) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didRecieve response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { completionHandler() }
}

/// Adds a method to a delegate that it inherits from.
class PlainApp: UIResponder, UIApplicationDelegate {}
final class AddingApp: PlainApp {
    func applicationDidBecomeActive(_ application: UIApplication) {}
}

/// Overrides nothing.
final class MistypingExtension: UNNotificationServiceExtension {
    func didReceive(_ request: UNNotificationRequest, contentHandler: @escaping (UNNotificationContent) -> Void) {
        contentHandler(request.content)
    }
}

@MainActor @Suite("The look at an app's delegates") struct DelegateReportTests {
    private let id = TestPhone.bundleID

    @Test("names the methods that iOS will never call, at launch and wherever one was missed")
    func mistypes() async throws {
        try await TestPhone.run { test in
            test.mayMistype = true
            try await test.openPermitted { _ in MistypingApp() }
            #expect(
                test.phone.delegateReport(of: id).nearMisses.map(\.method).sorted() == [
                    "application(_:didReciveRemoteNotification:fetchCompletionHandler:)",
                    "userNotificationCenter(_:didRecieve:withCompletionHandler:)",
                    "userNotificationCenter(_:willPresent:withCompletionHandler:)",
                ])
            let launch = try #require(test.phone.traces.first)
            #expect(launch.origin == .launch && launch.notes.count == 3)
            let shown = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(
                shown.notes.contains {
                    $0.contains("withCompletionHandler is (UNNotificationPresentationOptions, Bool)")
                })
            let wake = try await test.push(["aps": ["content-available": 1]], type: .background)
            #expect(wake.notes.contains { $0.contains("did you mean application(_:didReceiveRemoteNotification:") })
            await test.phone.pressHome()
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m2")
            try await test.phone.tap("m2", in: id)
            try await test.phone.settled()
            let tapped = try #require(test.phone.pushLog.last)
            #expect(tapped.notes.contains { $0.contains("has no didReceive") })
            #expect(tapped.notes.contains { $0.contains("did you mean userNotificationCenter(_:didReceive:with") })
            #expect(test.phone.traces.filter { $0.origin == .launch }.count == 1, "said once")
        }
    }

    @Test("finds a method that only a subclass adds, and a service extension that overrides nothing")
    func inherited() async throws {
        try await TestPhone.run { test in
            test.mayMistype = true
            test.install(makeServiceExtension: { MistypingExtension() }) { _ in AddingApp() }
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            try await test.push(["aps": ["alert": "Hello", "mutable-content": 1]])
            #expect(
                test.phone.delegateReport(of: id).nearMisses.map(\.intended) == ["didReceive(_:withContentHandler:)"])
            try await test.phone.openApp(id)
            #expect(
                test.phone.delegateReport(of: id).nearMisses.map(\.method) == [
                    "didReceive(_:contentHandler:)", "applicationDidBecomeActive(_:)",
                ])
        }
    }

    @Test("finds nothing in delegates that are right")
    func right() async throws {
        let callLog = CallLog()
        let delegates: [any UIApplicationDelegate] = [
            AskingApp(callLog), AsyncApp(callLog), OldApp(callLog), HoppingApp(callLog), DeafApp(),
        ]
        for delegate in delegates {
            try await AppUnderTest.run(asking: { _ in delegate }) { app, _ in
                try await app.phone.openApp(id)
                let report = app.phone.delegateReport(of: id)
                #expect(report.nearMisses == [] && report.unchecked == nil)
            }
        }
    }
}
