import CarillonApp
import UIKit

/// The delegate of Chime's one scene: shows the app, and forwards the tap that made iOS connect the scene.
public final class ChimeSceneDelegate: UIResponder, UIWindowSceneDelegate {
    /// Chime's one window, while the scene is connected.
    public var window: UIWindow?

    /// Shows Chime's screens, and tells Carillon that they can show a tapped message.
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
