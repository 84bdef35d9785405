import Dispatch
import Foundation
@_spi(Simulation) import UserNotifications

extension UIApplication {
    /// The remaining background time in seconds, by the phone's clock; `greatestFiniteMagnitude` while the app is in the
    /// foreground.
    public var backgroundTimeRemaining: TimeInterval { backend.backgroundTimeRemaining }

    /// Requests about 30 seconds of background time, for use after the app has left the foreground.
    ///
    /// - Parameter handler: called shortly before the time is over. If the app does not end the task then, the phone terminates
    ///   the app.
    @preconcurrency public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    @preconcurrency public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        guard !SimulatedDevices.isOnMainQueue else {
            return backend.beginBackgroundTask(name: taskName, expirationHandler: handler)
        }
        // Swift 5 code may call this method on any thread, which iOS accepts.
        return DispatchQueue.main.sync { backend.beginBackgroundTask(name: taskName, expirationHandler: handler) }
    }

    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        guard !SimulatedDevices.isOnMainQueue else { return backend.endBackgroundTask(identifier) }
        DispatchQueue.main.async { self.backend.endBackgroundTask(identifier) }
    }

    @available(iOS 7, *)
    public class var backgroundFetchIntervalMinimum: TimeInterval { 0 }
    @available(iOS 7, *)
    public class var backgroundFetchIntervalNever: TimeInterval { .greatestFiniteMagnitude }

    /// Sets the shortest time between two background fetches, in seconds. The default is never. Deprecated since iOS 13.
    ///
    /// Differs from iOS: the phone never starts a fetch by itself; a test or a person starts it, as with Xcode's Simulate
    /// Background Fetch.
    @available(iOS, introduced: 7, deprecated: 13)
    public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
        backend.setMinimumFetchInterval(minimumBackgroundFetchInterval)
    }
}

// The names before Swift 4.2.
public let UIApplicationBackgroundFetchIntervalMinimum: TimeInterval = 0
public let UIApplicationBackgroundFetchIntervalNever = TimeInterval.greatestFiniteMagnitude
