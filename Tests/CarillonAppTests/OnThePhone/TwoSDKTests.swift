import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

/// An app with Carillon and another SDK, each with its own notifications, joined by a chain.
private final class TwoSDKApp: UIResponder, UIApplicationDelegate, AppWithCarillon,
    @preconcurrency UNUserNotificationCenterDelegate
{
    @MainActor final class Log {
        var lines: [String] = []
    }

    private(set) var carillon: Carillon?
    private var chain: Carillon.DelegateChain?
    private var plan: HostApp.Plan?
    private var log: Log?

    private var usesScenes = false

    convenience init(plan: HostApp.Plan, log: Log, usesScenes: Bool) {
        self.init()
        self.plan = plan
        self.log = log
        self.usesScenes = usesScenes
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let plan, let log else { return false }
        UNUserNotificationCenter.current().delegate = self
        let platform = AppPlatform.current(appGroup: nil)
        let carillon = plan.makeCarillon(for: application)
        let chain = Carillon.DelegateChain(clock: platform.clock, report: plan.configuration.report)
        chain.add(.carillon(carillon, handles: { !Carillon.DelegateChain.Link.foreign($0) }))
        chain.add(
            Carillon.DelegateChain.Link(
                name: "Other", handles: Carillon.DelegateChain.Link.foreign,
                remoteNotification: { _, answer in
                    log.lines.append("other: push")
                    answer(.newData)
                },
                didReceive: { response, answer in
                    log.lines.append("other: \(response.actionIdentifier == "later" ? "later" : "open")")
                    answer()
                }))
        carillon.onMessage = { log.lines.append("carillon: message \($0.identifier)") }
        carillon.onResponse = { log.lines.append("carillon: \($0.action) \($0.message.identifier)") }
        carillon.setNotificationCategories([
            UNNotificationCategory(
                identifier: "C", actions: [UNNotificationAction(identifier: "later", title: "Later", options: [])],
                intentIdentifiers: [], options: [])
        ])
        carillon.start(launchOptions: launchOptions)
        if !usesScenes { carillon.appIsReady() }
        self.carillon = carillon
        self.chain = chain
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { chain?.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { chain?.willPresent(notification, withCompletionHandler: completionHandler) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { chain?.didReceive(response, withCompletionHandler: completionHandler) }
}

private final class TwoSDKScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let app = UIApplication.shared.delegate as? TwoSDKApp
        app?.carillon?.sceneWillConnect(with: connectionOptions)
        app?.carillon?.appIsReady()
    }
}

@MainActor
@Suite("Two SDKs in one app each hear of their own notifications alone")
struct TwoSDKTests {
    /// The ways in which a notification comes into an app.
    enum Way: String, CaseIterable, Sendable {
        case coldTap, warmTap, icon, foreground, action, coldAction, silent
    }

    private static let table: [Way: (ours: [String], theirs: [String])] = [
        .coldTap: (["carillon: message m1", "carillon: open m1"], ["other: open"]),
        .warmTap: (["carillon: message m1", "carillon: open m1"], ["other: open"]),
        .icon: (["carillon: message m1"], []),
        .foreground: (["carillon: message m1"], []),
        .action: (["carillon: message m1", "carillon: chose(\"later\") m1"], ["other: later"]),
        .coldAction: (["carillon: message m1", "carillon: chose(\"later\") m1"], ["other: later"]),
        .silent: (["carillon: message m1"], ["other: push"]),
    ]

    @Test("whichever way they come", arguments: Way.allCases, [true, false])
    func each(way: Way, usesScenes: Bool) async throws {
        let expected = try #require(Self.table[way])
        for (isOurs, lines) in [(true, expected.ours), (false, expected.theirs)] {
            try await AppFixture.run { fixture in
                let log = TwoSDKApp.Log()
                var makeScene: (@MainActor @Sendable () -> any UISceneDelegate)?
                if usesScenes { makeScene = { TwoSDKScene() } }
                try await fixture.open(makeSceneDelegate: makeScene) { plan in
                    TwoSDKApp(plan: plan, log: log, usesScenes: usesScenes)
                }
                try await play(way, isOurs: isOurs, fixture)
                #expect(log.lines == lines, "\(isOurs ? "ours" : "theirs")")
                // Later, by its icon: nothing is told again, and nothing of the other's.
                try await fixture.goHome()
                try await fixture.open()
                try await fixture.settle()
                #expect(log.lines == lines, "\(isOurs ? "ours" : "theirs"), later")
                let stays = [.icon, .foreground].contains(way) || way == .silent && isOurs
                #expect(fixture.onScreen == (stays ? ["m1"] : []))
            }
        }
    }

    private func play(_ way: Way, isOurs: Bool, _ fixture: AppFixture) async throws {
        if way != .foreground { try await fixture.goHome() }
        if [.coldTap, .coldAction, .icon].contains(way) { try await fixture.quit() }
        if way == .silent {
            if isOurs {
                try await fixture.silent("m1")
            } else {
                try await fixture.push(["aps": ["content-available": 1], "other": 1])
            }
        } else {
            var payload: [String: JSONValue] = ["aps": ["alert": "A", "category": "C"]]
            payload[isOurs ? "carillon" : "other"] = isOurs ? ["v": 1, "id": "m1"] : 1
            try await fixture.push(.object(payload), type: .alert, collapseID: "m1")
        }
        switch way {
        case .coldTap, .warmTap: try await fixture.tap("m1")
        case .action, .coldAction: try await fixture.choose("later", on: "m1")
        case .icon: try await fixture.open()
        case .foreground, .silent: break
        }
        // An action leaves the app in the background, where it is suspended once it has answered.
        if [.action, .coldAction].contains(way) { try await fixture.rest() } else { try await fixture.settle() }
    }

    @Test("without a chain the app hears of every notification; of more than fifty without an id, of each once")
    func many() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.quit()
            for number in 1...60 {
                try await fixture.push(
                    ["aps": ["alert": .string("\(number)")]], type: .alert, collapseID: "n\(number)")
            }
            for _ in 0..<3 {
                try await fixture.open()
                try await fixture.settle()
                try await fixture.goHome()
            }
            let told = fixture.callbackLog.lines.filter { $0.hasPrefix("message") }
            #expect(told.count == 60 && Set(told).count == 60)
        }
    }
}
