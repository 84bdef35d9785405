import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// An app with scenes: the app delegate hears of launching, the scene delegate of the rest.
final class SceneApp: CallLoggingResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        callLog.write(launchOptions == nil ? "launched" : "launched with options")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { callLog.write("app delegate: active") }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("tapped, \(response.targetScene == nil ? "no scene" : "scene")")
        completionHandler()
    }
}

final class ChimeScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let callLog: CallLog

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override init() {
        callLog = CallLog()
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let response = connectionOptions.notificationResponse?.notification.request.identifier
        callLog.write("connects\(response.map { " for \($0)" } ?? "")")
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneWillEnterForeground(_ scene: UIScene) { callLog.write("foreground") }
    func sceneDidBecomeActive(_ scene: UIScene) { callLog.write("active") }
    func sceneWillResignActive(_ scene: UIScene) { callLog.write("resigns") }
    func sceneDidEnterBackground(_ scene: UIScene) { callLog.write("background") }
}

@MainActor @Suite("Scenes") struct SceneTests {
    @Test("22: a tap that launches an app with scenes comes in the connection options, not in the launch options")
    func coldTap() async throws {
        let id = TestPhone.bundleID
        try await TestPhone.run { test in
            let callLog = CallLog()
            test.phone.install(
                AppBundle(
                    bundleID: id, name: "Chime", usesScenes: true, makeSceneDelegate: { ChimeScene(callLog) },
                    makeDelegate: { SceneApp(callLog) }))
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(
                callLog.lines == ["launched", "connects for m1", "foreground", "tapped, scene", "active"])
            #expect(test.phone.screen.viewTree(of: id)?.children.count == 1)
            await test.phone.pressHome()
            try await test.phone.openApp(id)
            #expect(callLog.lines.suffix(4) == ["resigns", "background", "foreground", "active"])
        }
    }
}
