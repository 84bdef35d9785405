import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("The life of a scene") struct SceneLifeTests {
    private let id = TestPhone.bundleID

    private func run(
        _ adjust: @escaping @MainActor @Sendable (inout AppBundle) -> Void = { _ in },
        _ body: @MainActor (TestPhone) async throws -> Void
    ) async throws {
        try await TestPhone.run { test in
            let callLog = test.callLog
            test.callLogs[id] = callLog
            var bundle = AppBundle(
                bundleID: id, name: "Chime", usesScenes: true, makeSceneDelegate: { WatchfulScene(callLog) },
                makeDelegate: { WatchfulSceneApp(callLog) })
            adjust(&bundle)
            test.phone.install(bundle)
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            try await body(test)
        }
    }

    /// Returns the call log's lines after the first `seen`, and sets `seen` to the number of all lines.
    private func news(_ test: TestPhone, _ seen: inout Int) -> [String] {
        defer { seen = test.callLog.lines.count }
        return Array(test.callLog.lines.dropFirst(seen))
    }

    @Test("flicked away, a scene is disconnected and discarded, which the app learns at its next launch")
    func discarded() async throws {
        try await run { test in
            var seen = 0
            try await test.phone.openApp(id)
            #expect(
                news(test, &seen) == ["launched", "configures", "connects, restores nothing", "foreground", "active"])
            let first = try #require(test.sessionID)
            try await test.phone.forceQuit(id)
            #expect(news(test, &seen) == ["resigns", "background", "disconnects", "terminates"])
            try await test.phone.openApp(id)
            #expect(
                news(test, &seen) == [
                    "launched", "discarded \(first)", "configures", "connects, restores nothing", "foreground",
                    "active",
                ])
            #expect(test.sessionID != first)
            try test.phone.system.terminate(id)
            try await test.phone.openApp(id)
            #expect(!news(test, &seen).contains { $0.hasPrefix("discarded") })
            // One that sleeps learns of nothing before its next launch, be it in the background.
            await test.phone.pressHome()
            test.clock.advance(by: .seconds(5))
            try await test.phone.settled()
            let second = try #require(test.sessionID)
            seen = test.callLog.lines.count
            try await test.phone.forceQuit(id)
            #expect(news(test, &seen) == [])
            await test.phone.restart()
            try await test.push(["aps": ["content-available": 1]], type: .background)
            #expect(news(test, &seen) == ["launched", "discarded \(second)"])
        }
    }

    @Test("ended by the system, a session comes back with its identifier, its activity and its user info")
    func restored() async throws {
        try await run { test in
            try await test.phone.openApp(id)
            let first = try #require(test.sessionID)
            await test.phone.run(in: id) {
                UIApplication.shared.openSessions.first?.userInfo = ["page": 7]
            }
            await test.phone.pressHome()
            try test.phone.system.terminate(id)
            var seen = test.callLog.lines.count
            try await test.phone.openApp(id)
            #expect(news(test, &seen) == ["launched", "connects, restores page 7", "foreground", "active"])
            #expect(test.sessionID == first)
        }
    }

    @Test("22: a running app whose scene was taken back finds a cold tap in the new scene's connection options")
    func disconnected() async throws {
        try await run { test in
            try await test.phone.openApp(id)
            await test.phone.pressHome()
            test.clock.advance(by: .seconds(5))
            try await test.phone.settled()
            var seen = test.callLog.lines.count
            try await test.phone.system.disconnectScene(of: id)
            #expect(news(test, &seen) == ["disconnects"])
            #expect(test.phone.runningState(of: id) == .suspended)
            #expect(test.phone.screen.viewTree(of: id)?.children.isEmpty == true)
            let push = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(
                try test.entry(push.number).notes == [
                    "the running app had no scene: the tap is in the connection options of a new one"
                ])
            #expect(
                news(test, &seen) == ["connects for m1, restores page 7", "foreground", "tapped m1", "active"])
            #expect(test.phone.screen.viewTree(of: id)?.children.count == 1)
            await #expect(throws: PhoneError.self) { try await test.phone.system.disconnectScene(of: id) }
        }
    }

    @Test("a phone gives an app no second scene, closes none for it, and brings none to the front by itself")
    func requests() async throws {
        try await run { test in
            try await test.phone.openApp(id)
            let errors = Errors()
            func ask() async {
                await test.phone.run(in: id) {
                    let application = UIApplication.shared
                    guard let session = application.openSessions.first else { return }
                    let activity = NSUserActivity(activityType: "app.chime.page")
                    activity.title = "page 8"
                    application.requestSceneSessionActivation(nil, userActivity: nil, options: nil) { errors.add($0) }
                    application.requestSceneSessionActivation(session, userActivity: activity, options: nil) {
                        errors.add($0)
                    }
                    application.requestSceneSessionDestruction(session, options: nil) { errors.add($0) }
                    application.requestSceneSessionRefresh(session)
                }
                try? await test.phone.settled()
            }
            await ask()
            #expect(errors.codes == [.multipleScenesNotSupported, .multipleScenesNotSupported])
            #expect(test.callLog.lines.suffix(2) == ["will go on with app.chime.page", "goes on at page 8"])
            await test.phone.pressHome()
            await ask()
            #expect(
                errors.codes.suffix(3) == [.multipleScenesNotSupported, .requestDenied, .multipleScenesNotSupported])
            let scenes = await test.phone.supportsScenes(id)
            #expect(!scenes)
        }
    }

    @Test("a scene opens links like its app, has a subtitle, and says for which content it is")
    func properties() async throws {
        try await run { test in
            try await test.phone.openApp(id)
            await test.phone.run(in: id) {
                guard let scene = UIApplication.shared.connectedScenes.first,
                    let url = URL(string: "https://example.com/")
                else { return }
                scene.subtitle = "page 7"
                #expect(scene.activationConditions.canActivateForTargetContentIdentifierPredicate.evaluate(with: "x"))
                scene.open(url, options: nil) { test.callLog.write("opened: \($0)") }
                let options = UIScene.OpenExternalURLOptions()
                options.universalLinksOnly = true
                scene.open(url, options: options) { test.callLog.write("opened: \($0)") }
            }
            try await test.phone.settled()
            #expect(test.callLog.lines.suffix(2) == ["opened: true", "opened: false"])
            #expect(test.phone.openedURLs.map(\.url.absoluteString) == ["https://example.com/"])
        }
    }

    @Test("universal links come to a scene's connection options cold, and warm to scene(_:continue:)")
    func links() async throws {
        try await run({ $0.associatedDomains = ["applinks:chime.example"] }) { test in
            let link = try #require(URL(string: "https://chime.example/7"))
            try await test.phone.openURL(link, in: id)
            #expect(test.callLog.contains("connects for https://chime.example/7, restores nothing"))
            #expect(!test.callLog.lines.contains { $0.hasPrefix("goes on") })
            try await test.phone.followLink(link)
            #expect(
                test.callLog.lines.suffix(2) == [
                    "will go on with NSUserActivityTypeBrowsingWeb", "goes on at https://chime.example/7",
                ])
        }
    }
}

extension TestPhone {
    /// Of the running app's one session.
    @MainActor fileprivate var sessionID: String? {
        (phone.delegate(of: Self.bundleID) as? WatchfulSceneApp)?.application?.openSessions.first?.persistentIdentifier
    }
}

extension Phone {
    fileprivate func supportsScenes(_ bundleID: String) async -> Bool {
        let seen = Seen2()
        await run(in: bundleID) { seen.value = UIApplication.shared.supportsMultipleScenes }
        return seen.value
    }
}

@MainActor private final class Seen2 {
    var value = true
}

@MainActor private final class Errors {
    private(set) var codes: [UISceneError.Code] = []

    func add(_ error: any Error) {
        if let error = error as? UISceneError { codes.append(error.code) }
    }
}

private final class WatchfulSceneApp: CallLoggingResponder, UIApplicationDelegate,
    @preconcurrency UNUserNotificationCenterDelegate
{
    private(set) var application: UIApplication?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.application = application
        UNUserNotificationCenter.current().delegate = self
        callLog.write("launched")
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        callLog.write("configures")
        return UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        for session in sceneSessions { callLog.write("discarded \(session.persistentIdentifier)") }
    }

    func applicationWillTerminate(_ application: UIApplication) { callLog.write("terminates") }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("tapped \(response.notification.request.identifier)")
        completionHandler()
    }
}

private final class WatchfulScene: CallLoggingResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let reason =
            connectionOptions.notificationResponse?.notification.request.identifier
            ?? connectionOptions.userActivities.first?.webpageURL?.absoluteString
        let page = session.stateRestorationActivity?.title.map { "page \($0)" } ?? "nothing"
        callLog.write("connects\(reason.map { " for \($0)" } ?? ""), restores \(page)")
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        let activity = NSUserActivity(activityType: "app.chime.page")
        activity.title = "7"
        return activity
    }

    func sceneDidDisconnect(_ scene: UIScene) { callLog.write("disconnects") }
    func sceneWillEnterForeground(_ scene: UIScene) { callLog.write("foreground") }
    func sceneDidBecomeActive(_ scene: UIScene) { callLog.write("active") }
    func sceneWillResignActive(_ scene: UIScene) { callLog.write("resigns") }
    func sceneDidEnterBackground(_ scene: UIScene) { callLog.write("background") }

    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        callLog.write("will go on with \(userActivityType)")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        callLog.write("goes on at \(userActivity.webpageURL?.absoluteString ?? userActivity.title ?? "nothing")")
    }
}
