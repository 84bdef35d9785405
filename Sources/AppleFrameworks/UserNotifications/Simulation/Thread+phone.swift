import Foundation
import _SystemFoundation

/// Replaces Foundation's ways to make a thread in files that import UserNotifications or UIKit.
///
/// In a thread's block, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those of the app whose code has
/// made the thread.
///
/// Differs from iOS: while several phones run in one program, threads made in a file with a line `import Foundation` do not
/// know their phone. A file that imports UIKit does not need this line. A thread is not stopped while its app is suspended.
extension Thread {
    /// Whether the calling code runs on the main thread or on the main queue; on Linux, any thread may serve the main queue.
    @_disfavoredOverload public class var isMainThread: Bool { systemIsMain || SimulatedDevices.isOnMainQueue }

    @_disfavoredOverload @preconcurrency public convenience init(block: @escaping @Sendable () -> Void) {
        self.init(system: (), block: SimulatedDevices.asCurrent(block))
    }

    @_disfavoredOverload @preconcurrency
    public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
        systemDetach(SimulatedDevices.asCurrent(block))
    }
}
