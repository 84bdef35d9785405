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
    /// The header `apns-priority`: `immediate` for an alert push that shows a message or a notice, `considerate` for any other
    /// push.
    package var priority: APNsPriority
    /// The header `apns-expiration`.
    package var expiration: APNsExpiration
    /// The header `apns-collapse-id`: the notification's identifier, for a push that shows a message or its notice.
    ///
    /// Most other pushes have an id for their kind, such as `carillon-badge`. The removal push for a single message has an id of
    /// its own.
    package var collapseID: String
    /// The header `apns-id`.
    ///
    /// All attempts at one delivery have an equal id.
    package var apnsID: UUID
}
