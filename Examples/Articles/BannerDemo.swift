import UIKit
import UserNotifications

// The in-app notification that many apps build by hand: a window above the app's own, with a view that slides in, is tapped or
// flicked away, and disappears by itself. Closures replace the original's #selector methods.

/// The notification that the rest of the app posts, instead of adding a notification request.
struct LocalNotification {
    static let name = Notification.Name("BannerDemoLocalNotification")

    let title: String
    let body: String
    let userInfo: [AnyHashable: Any]

    /// - Parameter application: the app, so that several can run in one process.
    func fire(in application: UIApplication) {
        NotificationCenter.default.post(name: Self.name, object: application, userInfo: ["notification": self])
    }
}

/// A window that takes only the touches on its button.
final class PushNotificationWindow: UIWindow {
    weak var button: UIView?

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        guard let button = button else { return false }
        return button.point(inside: convert(point, to: button), with: event)
    }
}

final class CustomNotificationView: UIView {
    let titleLabel = UILabel(frame: CGRect(x: 16, y: 10, width: 300, height: 20))
    let subtitleLabel = UILabel(frame: CGRect(x: 16, y: 34, width: 300, height: 20))
    var userInfo: [AnyHashable: Any] = [:]

    override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = .white
        layer.cornerRadius = 14
        layer.shadowOpacity = 0.2
        addSubview(titleLabel)
        addSubview(subtitleLabel)
    }

    required init?(coder: NSCoder) { nil }
}

final class PushNotificationsController: UIViewController {
    private var window: PushNotificationWindow?
    private(set) var current: CustomNotificationView?
    private var delayedHide: Timer?
    private var observer: NSObjectProtocol?
    private let onTap: ([AnyHashable: Any]) -> Void

    /// The banner's resting position: below the notch, which the original has at 44 points, or 8 points from the top.
    private var restingY: CGFloat { view.safeAreaInsets.top > 20 ? view.safeAreaInsets.top : 8 }

    init(onTap: @escaping ([AnyHashable: Any]) -> Void) {
        self.onTap = onTap
        super.init(nibName: nil, bundle: nil)
        let window = PushNotificationWindow(frame: UIScreen.main.bounds)
        window.windowLevel = .alert
        window.rootViewController = self
        self.window = window
        observer = NotificationCenter.default.addObserver(
            forName: LocalNotification.name, object: UIApplication.shared, queue: nil
        ) { [weak self] message in
            guard let notification = message.userInfo?["notification"] as? LocalNotification else { return }
            MainActor.assumeIsolated { self?.show(notification) }
        }
    }

    required init?(coder: NSCoder) { nil }

    func show(_ notification: LocalNotification) {
        current.map { $0.removeFromSuperview() }
        let width = view.bounds.width - 16
        let banner = CustomNotificationView(frame: CGRect(x: 8, y: 0, width: width, height: 64))
        for label in [banner.titleLabel, banner.subtitleLabel] { label.frame.size.width = width - 32 }
        banner.titleLabel.text = notification.title
        banner.subtitleLabel.text = notification.body
        banner.userInfo = notification.userInfo
        banner.addGestureRecognizer(UITapGestureRecognizer { [weak self] _ in self?.tapped(banner) })
        banner.addGestureRecognizer(
            UIPanGestureRecognizer { [weak self] recognizer in
                (recognizer as? UIPanGestureRecognizer).map { self?.panned(banner, $0) }
            })
        view.addSubview(banner)
        current = banner
        window?.button = banner
        window?.isHidden = false
        slideIn(banner)
    }

    private func slideIn(_ banner: CustomNotificationView) {
        banner.frame.origin.y = -banner.frame.height
        UIView.animate(
            withDuration: 0.3, delay: 0, options: [.curveEaseOut, .allowUserInteraction],
            animations: { banner.frame.origin.y = self.restingY },
            completion: { _ in self.hideLater(banner) })
    }

    private func hideLater(_ banner: CustomNotificationView) {
        delayedHide?.invalidate()
        delayedHide = Timer.scheduledTimer(withTimeInterval: 6, repeats: false) { [weak self] _ in
            MainActor.assumeIsolated { self?.hide(banner) }
        }
    }

    private func tapped(_ banner: CustomNotificationView) {
        onTap(banner.userInfo)
        delayedHide?.invalidate()
        hide(banner)
    }

    private func panned(_ banner: CustomNotificationView, _ pan: UIPanGestureRecognizer) {
        let translation = pan.translation(in: view).y
        switch pan.state {
        case .changed:
            banner.frame.origin.y = min(restingY, restingY + translation)
        case .ended where banner.frame.maxY < restingY + banner.frame.height / 2:
            delayedHide?.invalidate()
            hide(banner)
        case .ended, .cancelled:
            UIView.animate(withDuration: 0.1) { banner.frame.origin.y = self.restingY }
        default: break
        }
    }

    private func hide(_ banner: CustomNotificationView) {
        UIView.animate(
            withDuration: 0.3, delay: 0, options: .curveEaseIn,
            animations: { banner.frame.origin.y = -banner.frame.height },
            completion: { _ in
                banner.removeFromSuperview()
                if self.current === banner { self.current = nil }
                if self.current == nil { self.window?.isHidden = true }
            })
    }
}

final class BannerDemoApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    lazy var pushController = PushNotificationsController { [weak self] userInfo in self?.open(userInfo) }
    private(set) var opened: [String] = []
    private(set) var pressed = 0
    private let presenter: RealBanners?

    override convenience init() { self.init(showsRealBanners: false) }

    /// - Parameter showsRealBanners: whether iOS shows the app's notifications in the foreground too, above the app's banner.
    init(showsRealBanners: Bool) {
        presenter = showsRealBanners ? RealBanners() : nil
        super.init()
    }

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = presenter
        let button = UIButton(type: .system)
        button.setTitle("Press", for: .normal)
        button.addAction(
            UIAction { [weak self, weak button] _ in
                guard let self else { return }
                self.pressed += 1
                button?.setTitle("Pressed \(self.pressed)", for: .normal)
            }, for: .touchUpInside)
        button.frame = CGRect(x: 20, y: 160, width: 120, height: 44)
        let root = UIViewController()
        root.view.backgroundColor = .secondarySystemBackground
        root.view.addSubview(button)
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = root
        window.makeKeyAndVisible()
        self.window = window
        _ = pushController
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let alert = (userInfo["aps"] as? [String: Any])?["alert"]
        let parts = alert as? [String: Any]
        LocalNotification(
            title: alert as? String ?? parts?["title"] as? String ?? "",
            body: parts?["body"] as? String ?? "Tap to read", userInfo: userInfo
        ).fire(in: application)
        completionHandler(.newData)
    }

    /// Opens what the tap is for: usually by a segue.
    private func open(_ userInfo: [AnyHashable: Any]) {
        let article = userInfo["article"] as? String ?? ""
        opened.append(article)
        let alert = (userInfo["aps"] as? [String: Any])?["alert"]
        let title = alert as? String ?? (alert as? [String: Any])?["title"] as? String
        let page = ArticleScreen(
            title: title ?? "No title", about: article.isEmpty ? "opened by the banner" : "article \(article)")
        page.addDoneButton()
        window?.rootViewController?.present(page, animated: true, completion: nil)
    }
}

/// Lets iOS show a notification in the foreground.
private final class RealBanners: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound, .badge])
    }
}
