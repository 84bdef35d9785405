import Testing

@testable import CarillonDevice

@Suite("A near miss of a delegate method") struct NearMissTests {
    private static let delegate = "UIKit.UIApplicationDelegate"
    private static let center = "UserNotifications.UNUserNotificationCenterDelegate"

    private static let requirements: [MethodSignature] = [
        method(
            delegate,
            "application(_: UIKit.UIApplication, didReceiveRemoteNotification: [Swift.AnyHashable : Any]) -> ()"),
        method(
            delegate,
            "application(_: UIKit.UIApplication, didReceiveRemoteNotification: [Swift.AnyHashable : Any], "
                + "fetchCompletionHandler: @Sendable (UIKit.UIBackgroundFetchResult) -> ()) -> ()"),
        method(
            delegate,
            "application(_: UIKit.UIApplication, didRegisterForRemoteNotificationsWithDeviceToken: "
                + "FoundationEssentials.Data) -> ()"),
        method(
            delegate,
            "application(_: UIKit.UIApplication, open: FoundationEssentials.URL, options: "
                + "[UIKit.UIApplication.OpenURLOptionsKey : Any]) -> Swift.Bool"),
        method(delegate, "applicationDidBecomeActive(UIKit.UIApplication) -> ()"),
        method(
            center,
            "userNotificationCenter(_: UserNotifications.UNUserNotificationCenter, willPresent: "
                + "UserNotifications.UNNotification, withCompletionHandler: @Sendable "
                + "(UserNotifications.UNNotificationPresentationOptions) -> ()) -> ()"),
        method(
            center,
            "userNotificationCenter(_: UserNotifications.UNUserNotificationCenter, willPresent: "
                + "UserNotifications.UNNotification) async -> UserNotifications.UNNotificationPresentationOptions"),
    ].compactMap { $0 }

    private static func method(_ owner: String, _ text: String) -> MethodSignature? {
        MethodSignature(demangled: "\(owner).\(text)", owner: owner)
    }

    /// The findings in a class that conforms and has these methods.
    private func findings(_ methods: String..., beneath subclass: [String] = []) -> [NearMiss] {
        let own = methods.compactMap { Self.method("App.Delegate", $0) }
        let added = subclass.compactMap { Self.method("App.Better", $0) }
        #expect(own.count == methods.count && added.count == subclass.count, "a signature cannot be read")
        let conforming = NearMiss.ClassMethods(name: "App.Delegate", methods: own, requirements: Self.requirements)
        let better = NearMiss.ClassMethods(name: "App.Better", methods: added, requirements: [])
        return NearMiss.findings(in: added.isEmpty ? [conforming] : [better, conforming])
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let intended: String
        let words: String
    }

    @Test(
        "is found and the right name is given",
        arguments: [
            Mistake(
                testDescription: "a letter is missing",
                method: "application(_: UIKit.UIApplication, didReciveRemoteNotification: [Swift.AnyHashable : Any], "
                    + "fetchCompletionHandler: (UIKit.UIBackgroundFetchResult) -> ()) -> ()",
                intended: "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)",
                words: "did you mean application(_:didReceiveRemoteNotification:fetchCompletionHandler:)?"),
            Mistake(
                testDescription: "a label is wrong",
                method: "userNotificationCenter(_: UserNotifications.UNUserNotificationCenter, willPresent: "
                    + "UserNotifications.UNNotification, completionHandler: "
                    + "(UserNotifications.UNNotificationPresentationOptions) -> ()) -> ()",
                intended: "userNotificationCenter(_:willPresent:withCompletionHandler:)", words: "did you mean"),
            Mistake(
                testDescription: "an argument is missing",
                method: "application(_: UIKit.UIApplication, open: FoundationEssentials.URL) -> Swift.Bool",
                intended: "application(_:open:options:)", words: "did you mean application(_:open:options:)?"),
            Mistake(
                testDescription: "the only argument is missing", method: "applicationDidBecomeActive() -> ()",
                intended: "applicationDidBecomeActive(_:)", words: "did you mean applicationDidBecomeActive(_:)?"),
            Mistake(
                testDescription: "the completion handler takes something else",
                method: "userNotificationCenter(_: UserNotifications.UNUserNotificationCenter, willPresent: "
                    + "UserNotifications.UNNotification, withCompletionHandler: "
                    + "(UserNotifications.UNAuthorizationOptions) -> ()) -> ()",
                intended: "userNotificationCenter(_:willPresent:withCompletionHandler:)",
                words: "its argument withCompletionHandler is (UNAuthorizationOptions) -> (), and must be "
                    + "(UNNotificationPresentationOptions) -> ()."),
            Mistake(
                testDescription: "a parameter has another type",
                method: "application(_: UIKit.UIApplication, didRegisterForRemoteNotificationsWithDeviceToken: "
                    + "Swift.String) -> ()",
                intended: "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)",
                words: "is String, and must be Data."),
            Mistake(
                testDescription: "the async form is not async",
                method: "userNotificationCenter(_: UserNotifications.UNUserNotificationCenter, willPresent: "
                    + "UserNotifications.UNNotification) -> UserNotifications.UNNotificationPresentationOptions",
                intended: "userNotificationCenter(_:willPresent:)", words: "it must be async."),
            Mistake(
                testDescription: "it returns nothing",
                method: "application(_: UIKit.UIApplication, open: FoundationEssentials.URL, options: "
                    + "[UIKit.UIApplication.OpenURLOptionsKey : Any]) -> ()",
                intended: "application(_:open:options:)", words: "it returns (), and must return Bool."),
            Mistake(
                testDescription: "it throws",
                method: "applicationDidBecomeActive(UIKit.UIApplication) throws -> ()",
                intended: "applicationDidBecomeActive(_:)", words: "it throws, and must not."),
            Mistake(
                testDescription: "it is private",
                method: "(applicationDidBecomeActive in _0123456789ABCDEF)(UIKit.UIApplication) -> ()",
                intended: "applicationDidBecomeActive(_:)", words: "it is private"),
            Mistake(
                testDescription: "a capital is wrong", method: "applicationDidbecomeActive(UIKit.UIApplication) -> ()",
                intended: "applicationDidBecomeActive(_:)", words: "did you mean applicationDidBecomeActive(_:)?"),
        ])
    func mistakes(_ mistake: Mistake) {
        let found = findings(mistake.method)
        #expect(found.map(\.intended) == [mistake.intended])
        #expect(found.first?.sentence.contains(mistake.words) == true, "\(found.first?.sentence ?? "nothing found")")
        #expect(found.first?.sentence.contains("iOS will never call it") == true)
    }

    @Test("is none where the method is right, in either form and either language mode")
    func right() {
        #expect(
            findings(
                "application(_: UIKit.UIApplication, didReceiveRemoteNotification: [Swift.AnyHashable : Any], "
                    + "fetchCompletionHandler: (UIKit.UIBackgroundFetchResult) -> ()) -> ()",
                "userNotificationCenter(_: UserNotifications.UNUserNotificationCenter, willPresent: "
                    + "UserNotifications.UNNotification) async -> UserNotifications.UNNotificationPresentationOptions",
                "applicationDidBecomeActive(UIKit.UIApplication) -> ()") == [])
    }

    @Test("is none where the class has the right method too, or where the method is something of the app's own")
    func ownMethods() {
        #expect(
            findings(
                "applicationDidBecomeActive(UIKit.UIApplication) -> ()",
                "applicationDidBecomeActive(UIKit.UIApplication, again: Swift.Bool) -> ()",
                "application(_: UIKit.UIApplication, showArticle: Swift.String) -> ()",
                "applicationName() -> Swift.String", "registerForPushNotifications() -> ()",
                "application(_: UIKit.UIApplication, continue: Foundation.NSUserActivity, restorationHandler: "
                    + "([Any]?) -> ()) -> Swift.Bool") == [])
    }

    @Test("is a method that only a subclass adds, and an override is none")
    func subclass() {
        let active = "applicationDidBecomeActive(UIKit.UIApplication) -> ()"
        let found = findings("unrelated() -> ()", beneath: [active])
        #expect(found.map(\.type) == ["App.Better"])
        #expect(found.first?.sentence.contains("the conformance is declared in a superclass") == true)
        #expect(findings(active, beneath: [active]) == [])
    }

    @Test("a symbol that is no method of the class is passed over")
    func otherSymbols() {
        for text in [
            "App.Delegate.window.getter : UIKit.UIWindow?", "closure #1 () -> () in App.Delegate.work() -> ()",
            "App.Delegate.__allocating_init() -> App.Delegate", "App.Other.work() -> ()", "App.Delegate.work(", "",
            "App.Delegate.(work in ", "App.Delegate.work<A>(A) -> ()",
        ] {
            let read = MethodSignature(demangled: text, owner: "App.Delegate")
            #expect(read == nil || read?.baseName == "__allocating_init", "\(text)")
        }
    }
}
