import CarillonDevice
import Foundation
import TestSupport
import Testing
import UIKit

/// Handlers that an app never calls: only the phone's time can help, and a test is told so rather than kept waiting.
@MainActor @Suite("A handler that is never called") struct NeverCalledTests {
    private let id = TestPhone.bundleID
    private let silent: JSONValue = ["aps": ["content-available": 1]]

    private func isToldOf(_ name: String, _ notes: [String]) -> Bool {
        notes.contains { $0.contains(name) && $0.contains("only the phone's time") }
    }

    @Test("of a silent push: push returns and says so, and 30 s of the phone's time terminate the app")
    func silentPush() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.onPush = { _, _ in } } }) { app, _ in
            try await app.suspendAllowed()
            let began = ContinuousClock.now
            let push = try await app.push(silent)
            #expect(isToldOf("didReceiveRemoteNotification", push.notes) && !push.isFinished)
            try await app.advance(by: .milliseconds(29_999))
            #expect(app.state == .background)
            #expect(began.duration(to: .now) < .seconds(30), "nobody waits for real time")
            try await app.advance(by: .milliseconds(1))
            #expect(app.state == .notRunning)
            let after = try app.entry(push.number)
            #expect(after.wake?.answer == .never && after.isFinished)
            #expect(after.notes.count { $0.contains("only the phone's time") } == 1, "said once")
        }
    }

    @Test("of a response: tap returns, and the trace says what is outstanding")
    func response() async throws {
        try await AppUnderTest.run(asking: { _ in MuteApp() }) { app, _ in
            try await app.openAndAllow()
            try await app.suspend()
            let push = try await app.push(["aps": ["alert": "Hello"]], collapseID: "n")
            try await app.tap("n")
            #expect(isToldOf("didReceive", try app.entry(push.number).notes))
            try await app.advance(by: .seconds(30))
            #expect(try app.entry(push.number).notes.contains { $0.contains("was not called within 30 s") })
            #expect(app.state == .foregroundActive)
        }
    }

    @Test("of a service extension: push returns before anything is shown; then the original is")
    func serviceExtension() async throws {
        let callLog = CallLog()
        let bundle = AppBundle(
            bundleID: id, name: "Chime", makeDelegate: { AskingApp(callLog) }, makeServiceExtension: { MuteExtension() }
        )
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.suspend()
            let push = try await app.push(["aps": ["alert": "Hello", "mutable-content": 1]])
            #expect(isToldOf("the service extension", push.notes) && push.presentation == nil)
            #expect(app.notifications.isEmpty)
            try await app.advance(by: .seconds(30))
            #expect(app.notifications.first?.request.content.body == "Hello")
        }
    }

    @Test(
        "what sleeps, waits on a queue or in a session is waited for",
        arguments: [SlowWay.sleep, .queue, .request])
    func isWaitedFor(_ way: SlowWay) async throws {
        let server = try WebServer(["/": .silent])
        defer { server.stop() }
        let url = try server.url("/")
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.onPush = { way.answer($1, asking: url) } } }) {
            app, _ in
            try await app.suspendAllowed()
            let push = try await app.push(silent)
            #expect(push.wake?.answer == .noData && !isToldOf("didReceiveRemoteNotification", push.notes))
        }
    }
}

/// The app under test sleeps, not the test: what is asked is whether that is waited for.
private typealias AppsOwn = Task<Never, Never>

/// Ways to answer in real time, longer than the phone is patient with nothing under way.
enum SlowWay: Sendable {
    case sleep, queue, request

    /// - Parameter url: of a server that takes requests and never answers.
    func answer(_ handler: @escaping @Sendable (UIBackgroundFetchResult) -> Void, asking url: URL) {
        switch self {
        case .sleep:
            Task {
                try? await AppsOwn.sleep(nanoseconds: 1_500_000_000)
                handler(.noData)
            }
        case .queue: DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { handler(.noData) }
        case .request:
            // The request is under way until it gives up.
            var request = URLRequest(url: url)
            request.timeoutInterval = 2
            URLSession.shared.dataTask(with: request) { _, _, _ in handler(.noData) }.resume()
        }
    }
}

private final class MuteApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {}
}

private final class MuteExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
}
