import Foundation
@_spi(Simulation) import UserNotifications

/// The methods that tell a scene's delegate about the scene's life cycle. Every method is optional.
/// [UISceneDelegate](https://developer.apple.com/documentation/uikit/uiscenedelegate)
@available(iOS 13, *)
@MainActor @preconcurrency public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Called when the person has followed a link to the running app.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// Returns the activity from which the scene can be restored at a later launch.
    ///
    /// Called when the scene goes to the background; the scene's session keeps the activity.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    /// Called when the person has followed a universal link, or when an activity from another device is arriving.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// Called when the scene's activity goes to another device.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
    public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
    public func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {}
    public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {}
}

/// The delegate of a scene with windows.
@available(iOS 13, *)
@MainActor @preconcurrency public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }

    /// Called when the person has chosen a quick action while the app was running.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void)
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let delegate = CallOnMain(delegate: self, shortcutItem: shortcutItem)
        OptionalMethod("performActionFor", of: self).completionFormIsMissing {
            completionHandler(await delegate.performAction(windowScene))
        } neither: {
            completionHandler(false)
        }
    }

    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await OptionalMethod("performActionFor", of: self).asyncFormIsMissing { answer in
            self.windowScene(windowScene, performActionFor: shortcutItem, completionHandler: answer)
        } ?? false
    }
}

/// The arguments of a delegate method, passed into a task of the main actor: a scene's delegate and a quick action.
///
/// `@unchecked`: the task uses the arguments only on the main actor.
@MainActor private struct CallOnMain: @unchecked Sendable {
    let delegate: any UIWindowSceneDelegate
    let shortcutItem: UIApplicationShortcutItem

    func performAction(_ windowScene: UIWindowScene) async -> Bool {
        await delegate.windowScene(windowScene, performActionFor: shortcutItem)
    }
}
