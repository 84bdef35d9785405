import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// The mistakes that people make most: everything here compiles, on Apple's platforms as here, and is never called. A
/// private method is not among them: the compiler refuses it here.
final class OldSpellingApp: UIResponder, UIApplicationDelegate {
    /// From before Swift 3, where the first argument had its label.
    func application(application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {}

    /// Swift 2's type for a payload.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [NSObject: AnyObject],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.newData) }

    /// Swift 2's type for bytes.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: NSData
    ) {}

    /// The name of another method's error, and Swift 2's type for it.
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: NSError) {}
}

final class HastyApp: UIResponder, UIApplicationDelegate {
    private(set) var answered = 0

    /// Omits `@escaping`, which is no mistake: the phone calls the method.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: (UIBackgroundFetchResult) -> Void
    ) {
        answered += 1
        completionHandler(.newData)
    }

    /// Optional options.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]?) -> Bool {
        true
    }

    func applicationDidEnterBackgroud(_ application: UIApplication) {}
}

final class CarelessCenterDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([.alert]) }

    /// Under the name that Objective-C has for it.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceiveNotificationResponse response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { completionHandler() }
}

/// Has its center delegate beside it.
final class TwoPartApp: UIResponder, UIApplicationDelegate {
    private let centerDelegate = CarelessCenterDelegate()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = centerDelegate
        return true
    }
}

@MainActor @Suite("The mistakes that people make most") struct CommonMistakesTests {
    private func sentences(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async throws
        -> [String]
    {
        try await AppUnderTest.run(delegate) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            #expect(app.phone.traces.first?.origin == .launch)
            return app.phone.delegateReport(of: app.bundleID).nearMisses.map(\.sentence).sorted()
        }
    }

    /// One finding each, that says these words.
    private func expect(_ sentences: [String], toSay words: [String], sourceLocation: SourceLocation = #_sourceLocation)
    {
        #expect(sentences.count == words.count, "\(sentences)", sourceLocation: sourceLocation)
        for word in words {
            #expect(
                sentences.contains { $0.contains(word) }, "\(word) in \(sentences)", sourceLocation: sourceLocation)
        }
    }

    @Test("the spellings of Swift 2: labels and types of long ago")
    func oldSpellings() async throws {
        let said = try await sentences { OldSpellingApp() }
        expect(
            said,
            toSay: [
                "did you mean application(_:didReceiveRemoteNotification:)",
                "didReceiveRemoteNotification is [NSObject : AnyObject], and must be [AnyHashable : Any]",
                "is NSData, and must be Data", "is NSError, and must be Error",
            ])
    }

    @Test("optional options, and a slip of the hand; but a missing @escaping is none")
    func careless() async throws {
        try await AppUnderTest.run({ HastyApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            #expect(try await app.push(["aps": ["content-available": 1]]).wake?.answer == .newData)
            #expect(app.delegate(as: HastyApp.self)?.answered == 1)
        }
        let said = try await sentences { HastyApp() }
        expect(
            said,
            toSay: [
                "options is [UIApplication.OpenURLOptionsKey : Any]?, and must be",
                "did you mean applicationDidEnterBackground(_:)?",
            ])
    }

    @Test("in the notification center's delegate beside the app's: no underscore, and Objective-C's name")
    func center() async throws {
        let said = try await sentences { TwoPartApp() }
        expect(
            said,
            toSay: [
                "did you mean userNotificationCenter(_:willPresent:withCompletionHandler:)?",
                "did you mean userNotificationCenter(_:didReceive:withCompletionHandler:)?",
            ])
    }
}
