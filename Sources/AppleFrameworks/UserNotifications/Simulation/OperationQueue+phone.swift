import Foundation
import _SystemFoundation

/// Operation queues in a file that imports UserNotifications or UIKit.
///
/// A block on a queue belongs to the phone whose code adds it.
///
/// Differs from iOS: an operation other than a block's knows no phone while several run in one process, and neither do blocks
/// on a queue of the app's own in a file that also imports Foundation by name, which UIKit brings along anyway.
extension OperationQueue {
    /// The main queue: an object of a subclass, so that every call to it is intercepted.
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
