import CarillonApp
import CarillonCore
import CarillonDevice
import Testing
import UIKit
import UserNotifications

/// The scene delegate of an app with scenes: it hands on what has connected its scene.
private final class HostScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var bench: Bench?

    convenience init(_ bench: Bench) {
        self.init()
        self.bench = bench
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let response = connectionOptions.notificationResponse
        bench?.diary.write("scene connects\(response == nil ? "" : " for \(response?.actionIdentifier ?? "")")")
        bench?.app?.carillon?.didConnectScene(with: response)
    }

    func sceneWillEnterForeground(_ scene: UIScene) { bench?.app?.carillon?.willEnterForeground() }
}

@MainActor
@Suite("A tap in an app with scenes reaches it once")
struct SceneTapTests {
    /// Installed, opened and allowed, behind the home screen.
    private func suspended(_ bench: Bench, isReadyAtLaunch: Bool = true) async throws {
        var plan = try bench.plan()
        plan.isReadyAtLaunch = isReadyAtLaunch
        bench.install(plan, makeSceneDelegate: { HostScene(bench) })
        try await bench.open()
        try await bench.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await bench.phone.answerPermission(allow: true)
        try await bench.settle()
        try await bench.goHome()
    }

    private func told(_ bench: Bench) -> [String] { bench.diary.lines.filter { !$0.hasPrefix("permission") } }

    @Test("cold: told by the connection options and by the delegate, heard once, when the app is ready")
    func cold() async throws {
        try await Bench.run { bench in
            try await suspended(bench, isReadyAtLaunch: false)
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.visible("m1")
            try await bench.phone.tap("m1", in: Bench.bundleID)
            try await bench.settle()
            #expect(
                told(bench).suffix(2) == [
                    "scene connects for \(UNNotificationDefaultActionIdentifier)", "message m1: text",
                ])
            bench.app?.carillon?.appIsReady()
            bench.app?.carillon?.appIsReady()
            try await bench.settle()
            #expect(told(bench).filter { $0.hasPrefix("response") } == ["response m1: open"])
            #expect(told(bench).filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(bench.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }

    @Test("warm: the scene is not connected again, and the delegate's call is the one that is heard")
    func warm() async throws {
        try await Bench.run { bench in
            try await suspended(bench)
            try await bench.visible("m1")
            try await bench.phone.tap("m1", in: Bench.bundleID)
            try await bench.settle()
            #expect(told(bench) == ["scene connects", "message m1: text", "response m1: open"])
            #expect(bench.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }

    @Test("an app whose delegate does not hear of taps is told by its scene alone")
    func bySceneAlone() async throws {
        try await Bench.run { bench in
            try await suspended(bench)
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.visible("m1")
            bench.diary.isDelegateDeaf = true
            try await bench.phone.tap("m1", in: Bench.bundleID)
            try await bench.settle()
            #expect(told(bench).filter { $0.hasPrefix("response") } == ["response m1: open"])
            #expect(bench.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }
}
