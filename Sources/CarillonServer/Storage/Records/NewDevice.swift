import CarillonCore
import Foundation

/// An installation's request to be registered.
package struct NewDevice: Sendable, Hashable {
    /// The installation's id.
    var id: String
    /// SHA-256 of the installation's secret.
    var secretHash: Data
    var app: AppReference
    var environment: APNsEnvironment
    var token: DeviceToken
    /// The user to bind the device to; `nil` leaves the present user bound.
    var user: String?
    /// The facts that the app reports about the device.
    var facts: DeviceFacts
    /// A random nonce.
    ///
    /// It is pushed to the token if another installation holds the token.
    var nonce: String
}

/// Changes to an installation.
///
/// A property that is `nil` is not changed.
package struct DeviceUpdate: Sendable, Hashable {
    var token: DeviceToken?
    var environment: APNsEnvironment?
    var user: String?
    /// The facts to change, by name.
    var facts: [String: JSONValue]
    /// A random nonce.
    ///
    /// It is pushed to the token if another installation holds the token.
    var nonce: String
}

/// The outcome of a registration, or of a change to one.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The device as registered, and the events.
    ///
    /// The device may still be bound to its earlier user.
    case registered(DeviceRecord, [TimelineEvent])
    /// The installation's id is registered with another secret.
    case wrongSecret
    /// The installation's id is registered for another app.
    case otherApp
    /// The device does not exist, or has lost all rights.
    case unknown
}
