import Foundation
import _SystemFoundation

/// The main operation queue, and the method that adds a block to any queue, in a file that imports UserNotifications or UIKit.
///
/// A block runs in the context of the simulated phone whose code adds the block to the queue.
///
/// Differs from iOS: while several phones run in one process, operations other than block operations do not know their phone.
/// This also applies to blocks on the app's own queues in a file that imports Foundation by name, which is unnecessary with
/// UIKit.
extension OperationQueue {
    /// The main queue: an object of a subclass, so that the phone can bind every added block to itself.
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
