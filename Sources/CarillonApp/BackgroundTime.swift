import UIKit

/// The background time that the SDK requests from iOS, so that work can finish after the person leaves the app.
@MainActor
final class BackgroundTime {
    private let application: UIApplication
    private let beforeEnd: @MainActor () -> Void

    /// Makes the object; it requests background time only in ``run(_:_:)``.
    ///
    /// - Parameters:
    ///   - application: `UIApplication.shared`.
    ///   - beforeEnd: called when the background time ends, before iOS may suspend the app.
    init(_ application: UIApplication, beforeEnd: @escaping @MainActor () -> Void) {
        self.application = application
        self.beforeEnd = beforeEnd
    }

    /// Runs `work` in a background task, so that the work can continue after the app has left the foreground.
    ///
    /// iOS then gives about 30 seconds
    /// ([beginBackgroundTask](https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:))).
    func run<Value: Sendable>(_ name: String, _ work: @MainActor () async -> Value) async -> Value {
        let assertion = Assertion(application)
        assertion.task = application.beginBackgroundTask(withName: "Carillon: \(name)") { [beforeEnd] in
            beforeEnd()
            assertion.end()
        }
        defer { assertion.end() }
        return await work()
    }

    /// One background task, which ends exactly once: iOS terminates an app that does not end its background tasks in time.
    @MainActor
    private final class Assertion {
        var task = UIBackgroundTaskIdentifier.invalid
        private let application: UIApplication

        init(_ application: UIApplication) { self.application = application }

        func end() {
            guard task != .invalid else { return }
            application.endBackgroundTask(task)
            task = .invalid
        }
    }
}
