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
    /// The user to bind it to; `nil` leaves the present user bound.
    var user: String?
    /// The facts that the app reports of the device.
    var facts: DeviceFacts
    /// A random nonce, pushed to the token if another installation holds it.
    var nonce: String
}

/// The changes to an installation; `nil` leaves a property as it is.
package struct DeviceUpdate: Sendable, Hashable {
    var token: DeviceToken?
    var environment: APNsEnvironment?
    var user: String?
    /// The facts that change, by name.
    var facts: [String: JSONValue]
    /// A random nonce, pushed to the token if another installation holds it.
    var nonce: String
}

/// The outcome of a registration, or of a change to one.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The device as it is now; its user may have been bound before.
    case registered(DeviceRecord, [TimelineEvent])
    /// The id belongs to an installation with another secret.
    case wrongSecret
    /// The id belongs to an installation of another app.
    case otherApp
    /// The device does not exist, or has no rights any more.
    case unknown
}
