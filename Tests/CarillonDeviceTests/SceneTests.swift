import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// An app with scenes: the app delegate hears of launching, the scene delegate of the rest.
final class SceneApp: DiaryKeeper, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        diary.write(launchOptions == nil ? "launched" : "launched with options")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { diary.write("app delegate: active") }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        diary.write("tapped, \(response.targetScene == nil ? "no scene" : "scene")")
        completionHandler()
    }
}

final class ChimeScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
        super.init()
    }

    override init() {
        diary = Diary()
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let response = connectionOptions.notificationResponse?.notification.request.identifier
        diary.write("connects\(response.map { " for \($0)" } ?? "")")
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneWillEnterForeground(_ scene: UIScene) { diary.write("foreground") }
    func sceneDidBecomeActive(_ scene: UIScene) { diary.write("active") }
    func sceneWillResignActive(_ scene: UIScene) { diary.write("resigns") }
    func sceneDidEnterBackground(_ scene: UIScene) { diary.write("background") }
}

@MainActor @Suite("Scenes") struct SceneTests {
    @Test("22: a tap that launches an app with scenes comes in the connection options, not in the launch options")
    func coldTap() async throws {
        let id = TestPhone.bundleID
        try await TestPhone.run { test in
            let diary = Diary()
            test.phone.install(
                AppBundle(
                    bundleID: id, name: "Chime", usesScenes: true, makeSceneDelegate: { ChimeScene(diary) },
                    makeDelegate: { SceneApp(diary) }))
            try test.phone.setNotificationsAllowed(true, for: id)
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(
                diary.lines == ["launched", "connects for m1", "foreground", "tapped, scene", "active"])
            #expect(test.phone.viewTree(of: id)?.children.count == 1)
            await test.phone.pressHome()
            try await test.phone.openApp(id)
            #expect(diary.lines.suffix(4) == ["resigns", "background", "foreground", "active"])
        }
    }
}
