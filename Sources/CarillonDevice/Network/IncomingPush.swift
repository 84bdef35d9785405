import CarillonCore
import Foundation

/// A push as it comes over the air.
public struct IncomingPush: Sendable, Hashable {
    public var topic: String
    public var pushType: PushType
    /// The JSON as it was sent, byte for byte.
    public var payload: Data
    public var collapseID: String?
    public var apnsID: UUID
    /// 10, 5 or 1.
    public var priority: Int

    public init(
        topic: String, pushType: PushType, payload: Data, collapseID: String? = nil, apnsID: UUID, priority: Int = 10
    ) {
        self.topic = topic
        self.pushType = pushType
        self.payload = payload
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.priority = priority
    }
}
