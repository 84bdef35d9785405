import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonServer
import Foundation
import Synchronization
import TestSupport
import Testing
import UIKit
import UserNotifications
import WidgetKit

// The code of docs/widgets.md.

struct ScorePushHandler: WidgetPushHandler {
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
        CarillonWidgetExtension(appGroup: "group.com.example.score", service: ScoreService.url)
            .pushTokenDidChange(pushInfo.token, widgets: widgets.count)
    }
}

/// The address of the service, which is a constant in the widget extension of an app.
enum ScoreService {
    static let known = Mutex<URL?>(nil)

    static var url: URL? { known.withLock(\.self) }
}

private final class ScoreApp: UIResponder, UIApplicationDelegate {
    private(set) var carillon: Carillon?
    private let configuration: Carillon.Configuration

    init(_ configuration: Carillon.Configuration) { self.configuration = configuration }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let carillon = Carillon(configuration: configuration, appGroup: "group.com.example.score")
        if #available(iOS 18, *) { carillon.widgets.register() }
        carillon.start(launchOptions: launchOptions)
        carillon.signIn()
        self.carillon = carillon
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }
}

/// A reload from a backend's call to the widget, by the real service, APNs and an app with the SDK.
@MainActor @Suite("Widgets through the service", .serialized, .timeLimit(.minutes(5)))
struct WidgetServiceTests {
    private nonisolated static let topic = "com.example.score"

    private func run(_ body: @MainActor (AppUnderTest, ServiceAndPhone) async throws -> Void) async throws {
        try await ServiceAndPhone.run(topic: Self.topic) { backend in
            let secret = backend.signInSecret
            ScoreService.known.withLock { $0 = backend.base }
            let configuration = Carillon.Configuration(
                service: backend.base, topic: Self.topic, environment: .sandbox,
                signInToken: {
                    let now = SystemClock().now
                    return try SignInToken.make(
                        user: "ada", topic: Self.topic, issued: now, expires: now + .seconds(300), secret: secret)
                })
            var bundle = AppBundle(
                bundleID: Self.topic, name: "Score", environment: .sandbox, appGroups: ["group.com.example.score"],
                makeDelegate: { ScoreApp(configuration) })
            bundle.widgets = [
                WidgetLayout(kind: "score", name: "Score", pushHandler: ScorePushHandler.self) { ["3 : 2"] }
            ]
            return bundle
        } body: { app, backend in
            try await app.open()
            try await app.phone.until("the user is signed in") { _ in
                app.delegate(as: ScoreApp.self)?.carillon?.user == "ada"
            }
            try await app.phone.settled()
            try await body(app, backend)
        }
    }

    /// Reloads until the service knows as many tokens as there should be.
    private func reload(_ backend: ServiceAndPhone, tokens: Int) async throws {
        while try await backend.call("POST", "/v1/widgets", #"{"to": {"user": "ada"}}"#)["tokens"]?.intValue != tokens {
            await Task.yield()
        }
    }

    @Test("a widget that the person adds while the app is not running is reloaded by a call of the backend")
    func whole() async throws {
        try await run { app, backend in
            try await app.forceQuit()
            try app.phone.widgets.add("score", of: Self.topic)
            try await app.phone.settled()
            #expect(app.widgets.map(\.reloadCount) == [1])
            try await reload(backend, tokens: 1)
            try await app.phone.until("the widget has been reloaded") { _ in
                app.widgets.first.map { $0.reloadCount > 1 } ?? false
            }
            #expect(app.widgets.map(\.lines) == [["3 : 2"]])
            #expect(app.state == .forceQuit)
        }
    }

    @Test(
        "of many reloads while the phone is offline, two arrive at most: the one that APNs keeps, and one that still waits"
    )
    func offline() async throws {
        try await run { app, backend in
            try app.phone.widgets.add("score", of: Self.topic)
            try await app.phone.settled()
            try await reload(backend, tokens: 1)
            try await app.phone.until("the widget has been reloaded") { _ in app.widgets.first?.reloadCount ?? 0 > 1 }
            try await app.phone.settled()
            await app.phone.goOffline()
            for _ in 0..<10 { try await reload(backend, tokens: 1) }
            let before = app.phone.pushLog.count { $0.pushType == .widgets }
            await app.phone.goOnline()
            try await app.phone.until("the reload has arrived") { _ in
                app.phone.pushLog.count { $0.pushType == .widgets } > before
            }
            try await app.phone.settled()
            #expect(app.phone.pushLog.count { $0.pushType == .widgets } <= before + 2)
        }
    }

    @Test("when the person has removed the widget, APNs answers 410, and the service sends no more to it")
    func removed() async throws {
        try await run { app, backend in
            let widget = try app.phone.widgets.add("score", of: Self.topic)
            try await app.phone.settled()
            try await reload(backend, tokens: 1)
            try app.phone.widgets.remove(widget.id, of: Self.topic)
            try await app.phone.settled()
            try await reload(backend, tokens: 0)
        }
    }
}
