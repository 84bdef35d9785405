import Foundation

extension UIApplication {
    /// Seconds left in the background, by the phone's clock; the largest number while the app is in the foreground.
    public var backgroundTimeRemaining: TimeInterval { backend.backgroundTimeRemaining }

    /// Asks to go on running after the app has left the foreground, about 30 seconds in all.
    ///
    /// - Parameter handler: called shortly before the time is over; a task that is not ended then costs the app its life.
    @preconcurrency public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        backend.beginBackgroundTask(name: nil, expirationHandler: handler)
    }

    @preconcurrency public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        backend.beginBackgroundTask(name: taskName, expirationHandler: handler)
    }

    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        backend.endBackgroundTask(identifier)
    }

    public class var backgroundFetchIntervalMinimum: TimeInterval { 0 }
    public class var backgroundFetchIntervalNever: TimeInterval { .greatestFiniteMagnitude }
}
