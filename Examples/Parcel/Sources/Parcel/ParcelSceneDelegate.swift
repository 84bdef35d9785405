import CarillonApp
import UIKit

/// Makes the window, and tells Carillon of the tap that connected the scene.
@MainActor
final class ParcelSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let app = UIApplication.shared.delegate as? ParcelAppDelegate
        else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = app.list
        window.makeKeyAndVisible()
        self.window = window
        app.carillon?.sceneWillConnect(with: connectionOptions)
        app.carillon?.appIsReady()
    }
}
