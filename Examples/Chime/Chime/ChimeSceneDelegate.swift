import CarillonApp
import UIKit

/// The delegate of Chime's one scene: it shows the app, and hands on the tap for which the scene was connected.
public final class ChimeSceneDelegate: UIResponder, UIWindowSceneDelegate {
    /// Chime's one window, as long as the scene is connected.
    public var window: UIWindow?

    /// Shows Chime's screens; from now on they can show what the person tapped.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let app = UIApplication.shared.delegate as? ChimeAppDelegate
        else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = app.screens.tabs
        window.makeKeyAndVisible()
        self.window = window
        app.carillon?.sceneWillConnect(with: connectionOptions)
        app.carillon?.appIsReady()
    }
}
