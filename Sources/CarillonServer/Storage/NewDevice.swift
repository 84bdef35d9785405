import CarillonCore
import Foundation

/// An installation as it asks to be registered.
package struct NewDevice: Sendable, Hashable {
    /// The installation that had the token before, named by somebody who knows its secret.
    package struct Former: Sendable, Hashable {
        var id: String
        var secretHash: Data
    }

    /// The installation's id.
    var id: String
    /// SHA-256 of the installation's secret.
    var secretHash: Data
    var app: AppReference
    var environment: APNsEnvironment
    var token: DeviceToken
    /// The user to bind it to; `nil` leaves it bound as it was.
    var user: String?
    /// What its app says of it.
    var facts: DeviceFacts
    var former: Former?
    /// Random; pushed to the token when another installation holds it.
    var nonce: String
}

/// What changes about an installation; `nil` leaves things as they are.
package struct DeviceUpdate: Sendable, Hashable {
    var token: DeviceToken?
    var environment: APNsEnvironment?
    var user: String?
    /// The members of the facts that change.
    var facts: [String: JSONValue]
    /// Random; pushed to the token when another installation holds it.
    var nonce: String
}
