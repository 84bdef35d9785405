import UIKit
import UserNotifications

/// An app that prints, in the place of `NSLog`.
@MainActor protocol ArticleLog: AnyObject {
    var log: (String) -> Void { get set }
}

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
        (app as? any ArticleLog)?.log = { [screen] in screen.add($0) }
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
        if let push = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            screen.add("launched with a push in the launch options: \(ArticleScreen.text(of: push))")
        }
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
            // Answered in the app's own turn: one turn later would mend what the article loses by answering early.
            completionHandler(result)
            DispatchQueue.main.async {
                screen.add("\(ArticleScreen.keys(of: userInfo)): \(ArticleScreen.word(for: result))")
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
    private let scroll = UIScrollView(frame: .zero)
    private var done: UIButton?

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
        heading.numberOfLines = 0
        text.numberOfLines = 0
        text.font = .systemFont(ofSize: 15)
        view.addSubview(scroll)
        scroll.addSubview(heading)
        scroll.addSubview(text)
        if let done = done { scroll.addSubview(done) }
        show()
    }

    /// Makes it a screen that closes itself, for one that is presented.
    func addDoneButton() {
        let done = UIButton(
            type: .system,
            primaryAction: UIAction(title: "Done") { [weak self] _ in self?.dismiss(animated: true, completion: nil) })
        self.done = done
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        scroll.frame = view.bounds
        let room = CGSize(width: view.bounds.width - 32, height: .greatestFiniteMagnitude)
        var y: CGFloat = 12
        if let done = done {
            done.frame = CGRect(x: 16, y: y, width: 80, height: 44)
            y += 48
        }
        for (label, gap) in [(heading, CGFloat(8)), (text, 16)] {
            label.frame = CGRect(x: 16, y: y, width: room.width, height: label.sizeThatFits(room).height)
            y += label.frame.height + gap
        }
        scroll.contentSize = CGSize(width: view.bounds.width, height: y)
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

    /// Returns a payload as JSON text.
    static func text(of userInfo: [AnyHashable: Any]) -> String {
        let object = userInfo as? [String: Any] ?? [:]
        guard JSONSerialization.isValidJSONObject(object),
            let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
        else { return keys(of: userInfo) }
        return String(decoding: data, as: UTF8.self)
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
