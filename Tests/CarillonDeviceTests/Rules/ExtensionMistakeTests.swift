import BackgroundTasks
import CarillonCore
import CarillonDevice
import Testing
import UIKit

/// Calls of a service extension that only an app may make: they end the extension, never the program.
@MainActor @Suite("Mistakes of a service extension") struct ExtensionMistakeTests {
    /// Delivers a push to an extension that runs `code`, and returns the shown text and the trace's notes.
    private func outcome(
        of code: @escaping @MainActor @Sendable (CallLog) -> Void
    ) async throws -> (text: String?, notes: [String], lines: [String]) {
        let log = CallLog()
        return try await TestPhone.run { test in
            test.install(makeServiceExtension: { CallingExtension { code(log) } }) { AskingApp($0) }
            try test.phone.settings.setNotificationsAllowed(true, for: TestPhone.bundleID)
            try await test.phone.openApp(TestPhone.bundleID)
            try await test.phone.settled()
            await test.phone.pressHome()
            try await test.push(["aps": ["alert": "hello", "mutable-content": 1]], collapseID: "m1")
            try await test.phone.settled()
            let shown = test.phone.deliveredNotifications(of: TestPhone.bundleID).first
            return (
                shown?.request.content.body, test.phone.traces.flatMap(\.notes), log.lines
            )
        }
    }

    @Test("UIApplication.shared ends the extension, and the phone shows the push as it came")
    func application() async throws {
        let outcome = try await outcome { _ in UIApplication.shared.applicationIconBadgeNumber = 3 }
        #expect(outcome.text == "hello")
        #expect(outcome.notes.contains { $0.contains("'shared' is unavailable in application extensions for iOS") })
    }

    @Test("UIScreen.main is the phone's screen in the extension too")
    func screen() async throws {
        let outcome = try await outcome { $0.write("\(UIScreen.main.bounds.width) \(UIScreen.main.scale)") }
        #expect(outcome.text == "HELLO" && outcome.lines.contains { $0.hasSuffix(".0 3.0") || $0.hasSuffix(".0 2.0") })
    }

    @Test("an extension registers no background task, and is refused when it submits one")
    func tasks() async throws {
        let outcome = try await outcome { log in
            let isRegistered = BGTaskScheduler.shared.register(forTaskWithIdentifier: "t", using: nil) { _ in }
            var refusal: BGTaskScheduler.Error?
            do {
                try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "t"))
            } catch { refusal = error as? BGTaskScheduler.Error }
            BGTaskScheduler.shared.cancelAllTaskRequests()
            let isRefused = refusal?.code == .notPermitted
            BGTaskScheduler.shared.getPendingTaskRequests { requests in
                let count = requests.count
                MainActor.assumeIsolated { log.write("\(isRegistered) \(isRefused) \(count)") }
            }
        }
        #expect(outcome.text == "HELLO" && outcome.lines.contains("false true 0"))
    }
}

/// Runs a test's code, and then shows everything in capitals.
final class CallingExtension: UNNotificationServiceExtension {
    private let code: @MainActor @Sendable () -> Void

    init(_ code: @escaping @MainActor @Sendable () -> Void) { self.code = code }

    override init() { code = {} }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let code = code
        MainActor.assumeIsolated { code() }
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.body = content.body.uppercased()
        contentHandler(content)
    }
}
