import Foundation

/// An operation queue that wraps each added block in another block, and runs the outer block.
public final class WrappingOperationQueue: OperationQueue, @unchecked Sendable {
    // `@unchecked`: both properties are `let`s; OperationQueue's own state is protected by Foundation.
    private let target: OperationQueue?
    private let wrap: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Makes a queue that wraps each added block in another block.
    ///
    /// - Parameters:
    ///   - target: the queue that runs the outer blocks; `nil`, the default, means the new queue itself.
    ///   - wrap: returns the outer block for an added block.
    public init(
        target: OperationQueue? = nil,
        wrap: @escaping @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) {
        self.target = target
        self.wrap = wrap
        super.init()
    }

    public override func addOperation(_ block: @escaping @Sendable () -> Void) {
        if let target { target.addOperation(wrap(block)) } else { super.addOperation(wrap(block)) }
    }
}

extension OperationQueue {
    /// Calls Foundation's `addOperation(_:)`, which UserNotifications replaces for apps.
    public func systemAddOperation(_ block: @escaping @Sendable () -> Void) { addOperation(block) }
}

extension BlockOperation {
    /// Calls Foundation's `BlockOperation(block:)`, which UserNotifications replaces for apps.
    ///
    /// The first argument, `()`, distinguishes this initializer from Foundation's in a call with a trailing closure, which has no
    /// label `block`.
    public convenience init(system: Void, block: @escaping @Sendable () -> Void) { self.init(block: block) }
}
