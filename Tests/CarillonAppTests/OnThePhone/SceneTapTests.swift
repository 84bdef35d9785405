import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

/// The scene delegate of an app with scenes: it hands on what has connected its scene.
private final class HostScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var fixture: AppFixture?

    convenience init(_ fixture: AppFixture) {
        self.init()
        self.fixture = fixture
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let response = connectionOptions.notificationResponse
        fixture?.callbackLog.write("scene connects\(response == nil ? "" : " for \(response?.actionIdentifier ?? "")")")
        fixture?.app?.carillon?.sceneWillConnect(with: connectionOptions)
    }
}

@MainActor
@Suite("A tap in an app with scenes reaches it once")
struct SceneTapTests {
    /// Installed, opened and allowed, behind the home screen.
    private func suspended(_ fixture: AppFixture, isReadyAtLaunch: Bool = true) async throws {
        var plan = try fixture.plan()
        plan.isReadyAtLaunch = isReadyAtLaunch
        fixture.install(plan, makeSceneDelegate: { HostScene(fixture) })
        try await fixture.open()
        try await fixture.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await fixture.phone.answerPermission(allow: true)
        try await fixture.settle()
        try await fixture.goHome()
    }

    private func told(_ fixture: AppFixture) -> [String] {
        fixture.callbackLog.lines.filter { !$0.hasPrefix("permission") }
    }

    @Test("cold: told by the connection options and by the delegate, heard once, when the app is ready")
    func cold() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture, isReadyAtLaunch: false)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            try await fixture.phone.tap("m1", in: AppFixture.bundleID)
            try await fixture.settle()
            #expect(
                told(fixture).suffix(2) == [
                    "scene connects for \(UNNotificationDefaultActionIdentifier)", "message m1: text",
                ])
            fixture.app?.carillon?.appIsReady()
            fixture.app?.carillon?.appIsReady()
            try await fixture.settle()
            #expect(told(fixture).filter { $0.hasPrefix("response") } == ["response m1: open"])
            #expect(told(fixture).filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(fixture.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }

    @Test("warm: the scene is not connected again, and the delegate's call is the one that is heard")
    func warm() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.visible("m1")
            try await fixture.phone.tap("m1", in: AppFixture.bundleID)
            try await fixture.settle()
            #expect(told(fixture) == ["scene connects", "message m1: text", "response m1: open"])
            #expect(fixture.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }

    @Test("an app whose delegate does not hear of taps is told by its scene alone")
    func bySceneAlone() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            fixture.callbackLog.ignoresTaps = true
            try await fixture.phone.tap("m1", in: AppFixture.bundleID)
            try await fixture.settle()
            #expect(told(fixture).filter { $0.hasPrefix("response") } == ["response m1: open"])
            #expect(fixture.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }
}
