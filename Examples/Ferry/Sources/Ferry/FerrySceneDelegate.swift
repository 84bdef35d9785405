import UIKit

/// The window of Ferry, while its scene is connected. A push may wake the app without a scene.
public final class FerrySceneDelegate: UIResponder, UIWindowSceneDelegate {
    public var window: UIWindow?

    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let app = UIApplication.shared.delegate as? FerryAppDelegate
        else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = app.screen
        window.makeKeyAndVisible()
        self.window = window
    }
}
