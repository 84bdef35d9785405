import UIKit

final class CourierScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let list = UILabel(frame: CGRect(x: 16, y: 100, width: 358, height: 300))
    private(set) var notes: [String] = []

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let controller = UIViewController()
        list.numberOfLines = 0
        controller.view.addSubview(list)
        let window = UIWindow(windowScene: scene)
        window.rootViewController = controller
        window.makeKeyAndVisible()
        self.window = window
        if let response = connectionOptions.notificationResponse {
            note("connected for \(response.notification.request.identifier)")
        }
        for context in connectionOptions.urlContexts { note("connected for \(context.url.absoluteString)") }
        if let item = connectionOptions.shortcutItem { note("connected for \(item.type)") }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts { note("link \(context.url.absoluteString)") }
    }

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        note("shortcut \(shortcutItem.type)")
        completionHandler(true)
    }

    func note(_ text: String) {
        notes.append(text)
        list.text = notes.joined(separator: "\n")
    }
}
