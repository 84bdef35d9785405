import CarillonCore
import Foundation

/// One push, ready for APNs.
package struct ComposedPush: Sendable, Hashable {
    package var token: DeviceToken
    package var app: AppID
    package var pushType: PushType
    /// The JSON, at most 4096 bytes.
    package var payload: Data
    /// `apns-priority`: 10 for what is shown, 5 for the rest.
    package var priority: Int
    /// `apns-expiration`.
    package var expiration: PushExpiration
    /// `apns-collapse-id`: the message's id.
    package var collapseID: String
    /// `apns-id`: the same for every attempt at one delivery.
    package var apnsID: UUID
}
