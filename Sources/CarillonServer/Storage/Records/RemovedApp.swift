import CarillonCore

/// An app that was removed, and whose rows the service is still deleting.
package struct RemovedApp: Sendable, Hashable {
    var reference: AppReference
    /// The time of the removal.
    package var removed: Timestamp

    /// The app's bundle id, which a new app may have.
    package var topic: String { reference.topic }

    /// The greatest number of pushes that a sender may still send of a removed app in each environment of APNs, because it had
    /// claimed them before the removal.
    package static let pushesInFlight = DeliveryLimits.pushesInFlightOfOneApp
}

/// The data of an app that a removal deletes.
package struct AppContents: Sendable, Hashable {
    /// The APNs environments for which the app has a credential.
    package var credentials: [APNsEnvironment]
    /// The number of the app's sign-in keys, including revoked ones.
    package var signInKeys: Int
    /// The valid API keys that are for this app only; a removal revokes them.
    package var ownKeys: [APIKeyRecord]
    /// The valid API keys that are for other apps too; a removal leaves them to these.
    package var sharedKeys: [APIKeyRecord]
    package var devices: Int
    package var messages: Int
    /// The number of the messages that still have something to send.
    package var unsent: Int
}
