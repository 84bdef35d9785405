import Foundation
import _SystemFoundation

/// Threads made in a file that imports UserNotifications or UIKit.
///
/// A thread's block runs in the context of the simulated phone whose code makes the thread.
///
/// Differs from iOS: while several phones run in one process, threads do not know their phone in a file that imports Foundation
/// by name, which is unnecessary with UIKit. A thread is not stopped while its app is suspended.
extension Thread {
    /// Whether this is the main thread or the main queue, which any thread may serve on Linux.
    @_disfavoredOverload public class var isMainThread: Bool { systemIsMain || SimulatedDevices.isOnMainQueue }

    @_disfavoredOverload @preconcurrency public convenience init(block: @escaping @Sendable () -> Void) {
        self.init(system: (), block: SimulatedDevices.asCurrent(block))
    }

    @_disfavoredOverload @preconcurrency
    public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
        systemDetach(SimulatedDevices.asCurrent(block))
    }
}
