import Foundation

/// A group of actions that are requested together.
/// [CXTransaction](https://developer.apple.com/documentation/callkit/cxtransaction)
open class CXTransaction: NSObject {
    public let uuid: UUID
    open private(set) var actions: [CXAction]

    /// Makes a transaction from actions.
    ///
    /// Differs from iOS: the transaction's identifier comes from a counter and is not random.
    public init(actions: [CXAction]) {
        uuid = CallIdentifiers.next()
        self.actions = actions
    }

    public convenience init(action: CXAction) { self.init(actions: [action]) }

    public convenience override init() { self.init(actions: []) }

    open var isComplete: Bool { actions.allSatisfy(\.isComplete) }

    open func addAction(_ action: CXAction) { actions.append(action) }
}
