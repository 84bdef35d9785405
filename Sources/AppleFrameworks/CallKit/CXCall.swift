import Foundation

/// A snapshot of a call on the phone. [CXCall](https://developer.apple.com/documentation/callkit/cxcall)
open class CXCall: NSObject {
    public let uuid: UUID
    public let isOutgoing: Bool
    public let isOnHold: Bool
    public let hasConnected: Bool
    public let hasEnded: Bool

    @_spi(Simulation) public init(
        uuid: UUID, isOutgoing: Bool, isOnHold: Bool, hasConnected: Bool, hasEnded: Bool
    ) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.isOnHold = isOnHold
        self.hasConnected = hasConnected
        self.hasEnded = hasEnded
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CXCall).map { $0.uuid == uuid } ?? false }

    open override var hash: Int { uuid.hashValue }
}
