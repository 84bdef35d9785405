import CarillonCore
import Foundation

/// One push, ready for APNs.
package struct ComposedPush: Sendable, Hashable {
    package var token: DeviceToken
    package var app: AppID
    package var pushType: PushType
    /// The JSON, at most 4096 bytes.
    package var payload: Data
    /// 10 or 5.
    package var priority: Int
    /// `apns-expiration`.
    package var expiration: PushExpiration
    /// `apns-collapse-id`: the message's id.
    package var collapseID: String
    /// `apns-id`: the same for every attempt at one delivery.
    package var apnsID: UUID

    package init(
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
package enum PushExpiration: Sendable, Hashable {
    /// No header: as long as APNs sees fit, at most 30 days. That is not the same as 0.
    case unspecified
    /// `0`: not at all.
    case oneAttempt
    case at(Timestamp)
}
