import UIKit

/// Shows how many pushes it has heard of since it was started.
final class TickerDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var count = 0
    private let label = UILabel(frame: CGRect(x: 20, y: 100, width: 200, height: 40))

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let controller = UIViewController()
        controller.view.addSubview(label)
        label.text = "0 pushes"
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        count += 1
        label.text = "\(count) pushes"
        completionHandler(.newData)
    }
}
