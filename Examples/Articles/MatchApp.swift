import ActivityKit
import UIKit
import UserNotifications

/// A match as a Live Activity: the teams do not change, score and minute do.
public struct MatchAttributes: ActivityAttributes {
    public struct ContentState: Codable, Hashable {
        public var homeScore: Int
        public var awayScore: Int
        public var minute: Int
    }

    public var home: String
    public var away: String
}

/// An app that shows a match as a Live Activity, which its button or a push starts.
final class MatchApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let screen = MatchScreen()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = screen
        window.makeKeyAndVisible()
        self.window = window
        screen.follow = { [unowned self] in self.follow() }
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { _, _ in
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
        Task {
            for await _ in Activity<MatchAttributes>.pushToStartTokenUpdates { screen.add("token to start by push") }
        }
        Task { for await activity in Activity<MatchAttributes>.activityUpdates { observe(activity) } }
        return true
    }

    /// Starts the Live Activity, as an app may while it is in the foreground.
    private func follow() {
        do {
            _ = try Activity.request(
                attributes: MatchAttributes(home: "Ferrum", away: "Aurum"),
                content: ActivityContent(state: .init(homeScore: 0, awayScore: 0, minute: 0), staleDate: nil),
                pushType: .token)
        } catch {
            screen.add("not started: \(error)")
        }
    }

    private func observe(_ activity: Activity<MatchAttributes>) {
        screen.add("\(activity.attributes.home) – \(activity.attributes.away) is on the lock screen")
        Task { for await _ in activity.pushTokenUpdates { screen.add("token to update by push") } }
        Task {
            for await content in activity.contentUpdates {
                screen.add("\(content.state.minute)′ \(content.state.homeScore) : \(content.state.awayScore)")
            }
        }
        Task { for await state in activity.activityStateUpdates { screen.add("state: \(state)") } }
    }
}

/// A button that starts the Live Activity, and what the app heard of it.
final class MatchScreen: UIViewController {
    var follow: () -> Void = {}
    private static let lineLimit = 10
    private var lines: [String] = []
    private let heading = UILabel(frame: .zero)
    private let text = UILabel(frame: .zero)
    private var button: UIButton?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        heading.font = .boldSystemFont(ofSize: 32)
        heading.text = "Match"
        text.font = .systemFont(ofSize: 15)
        text.numberOfLines = 0
        let button = UIButton(
            type: .system, primaryAction: UIAction(title: "Follow Ferrum – Aurum") { [weak self] _ in self?.follow() })
        self.button = button
        for part in [heading, text, button] { view.addSubview(part) }
        text.text = lines.joined(separator: "\n\n")
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let width = view.bounds.width - 32
        heading.frame = CGRect(x: 16, y: 76, width: width, height: 40)
        button?.frame = CGRect(x: 16, y: 124, width: width, height: 44)
        text.frame = CGRect(x: 16, y: 180, width: width, height: view.bounds.height - 200)
    }

    func add(_ line: String) {
        lines.insert(line, at: 0)
        if lines.count > Self.lineLimit { lines.removeLast() }
        text.text = lines.joined(separator: "\n\n")
        view.setNeedsLayout()
    }
}
