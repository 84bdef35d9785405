import Foundation
import _SystemFoundation

/// Replaces Foundation's `main` and `addOperation(_:)` in files that import UserNotifications or UIKit, so that a block knows
/// its simulated phone.
///
/// In the block, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those of the app whose code has added the
/// block to the queue.
///
/// Differs from iOS: while several phones run in one program, operations other than block operations do not know their phone.
/// In a file with a line `import Foundation`, blocks on the app's own queues do not know their phone either. A file that
/// imports UIKit does not need this line.
extension OperationQueue {
    /// The main queue.
    ///
    /// In a block on it, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those of the app whose code has
    /// added the block.
    public class var main: WrappingOperationQueue { wrappedMain }

    private static let wrappedMain: WrappingOperationQueue = {
        let queue = WrappingOperationQueue { SimulatedDevices.asCurrent($0) }
        queue.name = "NSOperationQueue Main Queue"
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = .main
        return queue
    }()

    @_disfavoredOverload @preconcurrency public func addOperation(_ block: @escaping @Sendable () -> Void) {
        systemAddOperation(SimulatedDevices.asCurrent(block))
    }
}

extension BlockOperation {
    @_disfavoredOverload @preconcurrency public convenience init(block: @escaping @Sendable () -> Void) {
        self.init(system: (), block: SimulatedDevices.asCurrent(block))
    }
}
