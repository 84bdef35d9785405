import Foundation
import _SystemFoundation

/// Replaces Foundation's ways to make a thread in files that import UserNotifications or UIKit.
///
/// A thread's block runs for the simulated phone whose code makes the thread: `current()` and `shared` find this phone.
///
/// Differs from iOS: while several phones run in one program, threads do not know their phone in a file that imports
/// Foundation by name, which is unnecessary with UIKit. A thread is not stopped while its app is suspended.
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
