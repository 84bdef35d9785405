import CarillonCore
import CarillonDevice
import Foundation
import SwiftUI
import Testing
import UIKit
import UserNotifications

@testable import Harbour

@MainActor @Suite("Harbour: an app whose windows SwiftUI makes, with a delegate by adaptor") struct HarbourTests {
    private let id = "app.harbour"

    private func run(_ body: @MainActor (AppUnderTest) async throws -> Void) async throws {
        let bundle = AppBundle(
            bundleID: id, name: "Harbour", usesScenes: true, main: { HarbourApp.main() })
        try await AppUnderTest.run(bundle, body)
    }

    private func lines(_ app: AppUnderTest) -> [String] {
        app.delegate(as: HarbourDelegate.self)?.log.lines ?? []
    }

    @Test("its main() makes the delegate, then the window with its texts; its phases are told as they change")
    func opens() async throws {
        try await run { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            #expect(Set(app.texts) == ["Harbour", "first: launched"])
            #expect(lines(app) == ["launched", "token 32", "appeared", "on the screen", "active"])
            await app.phone.pressHome()
            try await app.phone.settled()
            #expect(lines(app).last == "background")
        }
    }

    @Test("a silent push launches it without a window, and a cold tap comes to the delegate")
    func pushes() async throws {
        try await run { app in
            try await app.openAndAllow()
            try app.phone.system.terminate(id)
            let push = try await app.push(["aps": ["content-available": 1], "ship": "Vasa"])
            #expect(push.wake?.kind == .launched)
            #expect(lines(app) == ["launched", "token 32", "ship Vasa"] && app.texts.isEmpty)
            try app.phone.system.terminate(id)
            try await app.push(["aps": ["alert": "It is here"]], collapseID: "n1")
            try await app.tap("n1")
            #expect(lines(app).contains("opened n1") && app.texts.contains("Harbour"))
        }
    }
}

/// The scene is the notification center's delegate, which comes too late for the tap that launches the app.
@MainActor @Suite("A scene as the notification center's delegate") struct SceneAsDelegateTests {
    @Test("a cold tap comes with the scene's options alone, a warm one to the scene as the center's delegate")
    func taps() async throws {
        let (callLog, id) = (CallLog(), "app.pier")
        let bundle = AppBundle(
            bundleID: id, name: "Pier", usesScenes: true, makeSceneDelegate: { PierScene(callLog) },
            makeDelegate: { PierApp() })
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.forceQuit()
            try await app.push(["aps": ["alert": "1"]], collapseID: "n1")
            try await app.tap("n1")
            #expect(callLog.lines == ["connected", "connected for n1"])
            try await app.suspend()
            try await app.push(["aps": ["alert": "2"]], collapseID: "n2")
            try await app.tap("n2")
            #expect(callLog.lines.last == "opened n2")
        }
    }
}

final class PierApp: UIResponder, UIApplicationDelegate {}

final class PierScene: UIResponder, UIWindowSceneDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    var window: UIWindow?
    private let callLog: CallLog

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override convenience init() { self.init(CallLog()) }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        window = UIWindow(windowScene: scene)
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        let response = connectionOptions.notificationResponse
        callLog.write("connected\(response.map { " for \($0.notification.request.identifier)" } ?? "")")
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("opened \(response.notification.request.identifier)")
        completionHandler()
    }
}
