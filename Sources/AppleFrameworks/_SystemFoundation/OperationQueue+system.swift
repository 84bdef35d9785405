import Foundation

/// An operation queue that does something about each block before it is queued.
public final class WrappingOperationQueue: OperationQueue, @unchecked Sendable {
    // `@unchecked`: both are `let`s; what OperationQueue itself holds is Foundation's to protect.
    private let target: OperationQueue?
    private let wrap: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// - Parameter target: the queue that the blocks run on; `nil`: this one.
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
    /// Calls Foundation's `addOperation(_:)`.
    public func systemAddOperation(_ block: @escaping @Sendable () -> Void) { addOperation(block) }
}

extension BlockOperation {
    /// Calls Foundation's `BlockOperation(block:)`.
    ///
    /// The first argument keeps it apart when a trailing closure drops its label.
    public convenience init(system: Void, block: @escaping @Sendable () -> Void) { self.init(block: block) }
}
