import CarillonCore
import Foundation

/// One push, ready for APNs.
public struct ComposedPush: Sendable, Hashable {
    public var token: DeviceToken
    public var app: AppID
    public var pushType: PushType
    /// The JSON, at most 4096 bytes.
    public var payload: Data
    /// 10 or 5.
    public var priority: Int
    /// `apns-expiration`.
    public var expiration: PushExpiration
    /// `apns-collapse-id`: the message's id.
    public var collapseID: String
    /// `apns-id`: the same for every attempt at one delivery.
    public var apnsID: UUID

    public init(
        token: DeviceToken, app: AppID, pushType: PushType, payload: Data, priority: Int, expiration: PushExpiration,
        collapseID: String, apnsID: UUID
    ) {
        self.token = token
        self.app = app
        self.pushType = pushType
        self.payload = payload
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.apnsID = apnsID
    }
}

/// For how long APNs keeps a push for a device that cannot be reached.
public enum PushExpiration: Sendable, Hashable {
    /// No header: as long as APNs sees fit, at most 30 days. That is not the same as 0.
    case unspecified
    /// `0`: not at all.
    case oneAttempt
    case at(Timestamp)
}
