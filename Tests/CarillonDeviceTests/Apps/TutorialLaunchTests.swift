import CarillonCore
import CarillonDevice
import Testing
import UIKit
import UserNotifications

/// The tutorial's app before its last steps: it has no delegate of the notification center yet, and looks into the options
/// of both launch methods.
private final class EarlyApp: UIResponder, UIApplicationDelegate {
    private(set) var heard: [String] = []
    private let answers: Bool

    /// Makes the app; with `answers` false, its fetch handler is the tutorial's first, which calls no completion handler.
    init(answers: Bool = true) {
        self.answers = answers
        super.init()
    }

    override convenience init() { self.init(answers: true) }

    private func note(_ what: String, _ userInfo: [AnyHashable: Any]) {
        let alert = (userInfo["aps"] as? [String: Any])?["alert"] as? String
        heard.append("\(what): \(alert ?? "nothing")")
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        note("will launch", launchOptions?[.remoteNotification] as? [AnyHashable: Any] ?? [:])
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        note("has launched", launchOptions?[.remoteNotification] as? [AnyHashable: Any] ?? [:])
        let view = UNNotificationAction(identifier: "VIEW_IDENTIFIER", title: "View", options: [.foreground])
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(identifier: "NEWS_CATEGORY", actions: [view], intentIdentifiers: [])
        ])
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        note("push", userInfo)
        if answers { completionHandler(.newData) }
    }
}

@MainActor @Suite("The tutorial's app before it has a delegate of the notification center") struct TutorialLaunchTests {
    private func run(
        answers: Bool = true, _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        let bundle = AppBundle(
            bundleID: "com.example.early", name: "Early", makeDelegate: { EarlyApp(answers: answers) })
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await body(app)
        }
    }

    private let news: JSONValue = ["aps": ["alert": "Breaking News!", "sound": "default"]]

    private func heard(_ app: AppUnderTest) -> [String]? { app.delegate(as: EarlyApp.self)?.heard }

    @Test("in front the push comes to the fetch handler, and nothing is shown")
    func foreground() async throws {
        try await run { app in
            try await app.open()
            let trace = try await app.push(news)
            #expect(heard(app) == ["will launch: nothing", "has launched: nothing", "push: Breaking News!"])
            #expect(trace.presentation?.isShown != true && app.notifications.isEmpty)
        }
    }

    @Test("View opens the app, and nothing else follows")
    func viewWithoutDelegate() async throws {
        try await run { app in
            try await app.open()
            try await app.suspend()
            try await app.push(["aps": ["alert": "New Posts!", "category": "NEWS_CATEGORY"]], collapseID: "n1")
            let already = heard(app)
            try await app.choose("VIEW_IDENTIFIER", on: "n1")
            #expect(app.state == .foregroundActive && heard(app) == already)
            let lost = "the response was lost: the notification center has no delegate"
            #expect(app.phone.traces.flatMap(\.notes).contains(lost))
        }
    }

    @Test("the first fetch handler never answers: in front nothing follows, in the background iOS ends the app")
    func firstHandler() async throws {
        try await run(answers: false) { app in
            try await app.open()
            try await app.push(news)
            try await app.advance(by: .seconds(40))
            #expect(app.state == .foregroundActive && heard(app)?.last == "push: Breaking News!")
            try await app.suspend()
            let number = try await app.push(["aps": ["content-available": 1]]).number
            try await app.advance(by: .seconds(40))
            #expect(app.state == .notRunning)
            #expect(app.phone.traces.first { $0.number == number }?.wake?.answer == .never)
        }
    }

    @Test("a tap from a cold start launches it with the push, in the options of both launch methods")
    func coldTap() async throws {
        try await run { app in
            try await app.push(news, collapseID: "n1")
            try await app.tap("n1")
            #expect(heard(app)?.prefix(2) == ["will launch: Breaking News!", "has launched: Breaking News!"])
        }
    }

    @Test("sound and badge beside a silent push's keys are iOS's: it plays and counts, and the app is woken")
    func soundAndBadge() async throws {
        try await run { app in
            try await app.open()
            try await app.suspend()
            let trace = try await app.push(
                ["aps": ["content-available": 1, "sound": "default", "badge": 3], "crt": 1, "title": "hello there"],
                type: .alert)
            #expect(app.badge == 3 && app.phone.sounds.map(\.name) == ["default"])
            #expect(trace.wake?.answer == .newData && app.notifications.isEmpty)
        }
    }
}
