import Foundation
import _SystemFoundation

/// Replaces Foundation's `main` and `addOperation(_:)` in files that import UserNotifications or UIKit: a block runs for the
/// simulated phone whose code adds it to the queue.
///
/// In the block, `current()` and `shared` find this phone.
///
/// Differs from iOS: while several phones run in one program, operations other than block operations do not know their phone.
/// In a file that imports Foundation by name, which is unnecessary with UIKit, blocks on the app's own queues do not know it
/// either.
extension OperationQueue {
    /// The main queue, as an object of a subclass that binds every added block to the phone whose code adds it.
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
