import UIKit
import UserNotifications

/// The parts of an app that the articles omit.
///
/// It asks for permission and a device token, forwards every callback to the article's own delegate, and shows the delegate's
/// callbacks and answers on the screen.
@MainActor class ArticleFrame: UIResponder {
    var window: UIWindow?
    let app: any UIApplicationDelegate
    let screen: ArticleScreen

    init(_ app: any UIApplicationDelegate, of article: ArticleApp) {
        self.app = app
        screen = ArticleScreen(title: article.name, about: article.about)
        super.init()
    }

    fileprivate func launched(
        _ application: UIApplication, with launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        let isHandled = app.application(application, didFinishLaunchingWithOptions: launchOptions)
        if application.windows.isEmpty {
            let window = UIWindow(frame: UIScreen.main.bounds)
            window.rootViewController = screen
            window.makeKeyAndVisible()
            self.window = window
        }
        if launchOptions?[.remoteNotification] != nil { screen.add("launched with a push in the launch options") }
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { _, _ in
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
        return isHandled
    }
}

/// Hosts a delegate that has the method with a completion handler.
final class ArticleHost: ArticleFrame, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        launched(application, with: launchOptions)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let screen = screen
        app.application(application, didReceiveRemoteNotification: userInfo) { result in
            DispatchQueue.main.async {
                screen.add("\(ArticleScreen.keys(of: userInfo)): \(ArticleScreen.word(for: result))")
                completionHandler(result)
            }
        }
    }
}

/// Hosts a delegate that has the method without a completion handler.
final class OlderArticleHost: ArticleFrame, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        launched(application, with: launchOptions)
    }

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        app.application(application, didReceiveRemoteNotification: userInfo)
        screen.add("\(OldPush(userInfo: userInfo))")
    }
}

/// The newest callbacks that an app received.
final class ArticleScreen: UIViewController {
    private static let lineLimit = 12
    private let about: String
    private var lines: [String] = []
    private let heading = UILabel(frame: .zero)
    private let text = UILabel(frame: .zero)

    init(title: String, about: String) {
        self.about = about
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        heading.font = .boldSystemFont(ofSize: 32)
        heading.text = title
        text.numberOfLines = 0
        text.font = .systemFont(ofSize: 15)
        view.addSubview(heading)
        view.addSubview(text)
        show()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let (top, width) = (view.safeAreaInsets.top + 12, view.bounds.width - 32)
        heading.frame = CGRect(x: 16, y: top, width: width, height: 44)
        let height = text.sizeThatFits(CGSize(width: width, height: .greatestFiniteMagnitude)).height
        text.frame = CGRect(x: 16, y: top + 52, width: width, height: height)
    }

    func add(_ line: String) {
        lines.insert(line, at: 0)
        if lines.count > Self.lineLimit { lines.removeLast() }
        show()
    }

    private func show() {
        text.text = ([about.prefix(1).uppercased() + about.dropFirst() + "."] + lines).joined(separator: "\n\n")
        view.setNeedsLayout()
    }

    /// Returns the subject of a push: its keys beside `aps`, or those inside `aps`.
    static func keys(of userInfo: [AnyHashable: Any]) -> String {
        let own = userInfo.keys.compactMap { $0 as? String }.filter { $0 != "aps" }.sorted()
        let inside = (userInfo["aps"] as? [String: Any])?.keys.sorted() ?? []
        return (own.isEmpty ? inside : own).joined(separator: ", ")
    }

    static func word(for result: UIBackgroundFetchResult) -> String {
        switch result {
        case .newData: "newData"
        case .noData: "noData"
        case .failed: "failed"
        @unknown default: "another answer"
        }
    }
}
