import CarillonAPNs
import CarillonCore
import Foundation

/// One push, ready for APNs.
package struct ComposedPush: Sendable, Hashable {
    package var token: DeviceToken
    package var app: AppID
    package var pushType: PushType
    /// The JSON payload, at most 4096 bytes.
    package var payload: Data
    /// `apns-priority`: immediate for a shown notification, considerate for other pushes.
    package var priority: APNsPriority
    /// `apns-expiration`.
    package var expiration: APNsExpiration
    /// `apns-collapse-id`: the message's id.
    package var collapseID: String
    /// `apns-id`, which is equal for every attempt at one delivery.
    package var apnsID: UUID
}
