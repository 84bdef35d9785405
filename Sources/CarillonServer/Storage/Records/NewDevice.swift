import CarillonCore
import Foundation

/// An installation's request to be registered, checked by the service.
package struct NewDevice: Sendable, Hashable {
    /// The installation's id.
    var id: String
    /// The SHA-256 of the installation's secret.
    var secretHash: Data
    var app: AppReference
    var environment: APNsEnvironment
    var token: DeviceToken
    /// The user who signs in on the device; `nil` keeps the present user.
    var user: String?
    /// The facts that the app reports about the device.
    var facts: DeviceFacts
    /// The installation's tokens for Live Activities, in the place of those that it had before.
    var liveActivities: [LiveActivityToken] = []
    /// The installation's tokens for widgets and controls, in the place of those that it had before.
    var widgets: [WidgetToken] = []
    /// A random nonce, which is used only if another installation holds the token.
    ///
    /// In this case, the service pushes the nonce to the token. By sending the nonce back, the new installation proves that it
    /// receives the token's pushes.
    var nonce: String
    /// The number of the request; `nil` if the client counts none.
    var sequence: Int64?
}

/// Changes to an installation.
///
/// A property that is `nil` is not changed.
package struct DeviceUpdate: Sendable, Hashable {
    var token: DeviceToken?
    var environment: APNsEnvironment?
    var user: String?
    /// The members of ``DeviceFacts`` to change, by their JSON names; omitted members stay as they are.
    var facts: [String: JSONValue]
    /// The installation's tokens for Live Activities, in the place of those that it had before; `nil` for no change.
    var liveActivities: [LiveActivityToken]?
    /// The installation's tokens for widgets and controls, in the place of those that it had before; `nil` for no change.
    var widgets: [WidgetToken]?
    /// A random nonce, which is used only if another installation holds the new token.
    ///
    /// In this case, the service pushes the nonce to the token. By sending the nonce back, this installation proves that it
    /// receives the token's pushes.
    var nonce: String
    /// The number of the request; `nil` if the client counts none.
    var sequence: Int64?
}

/// The outcome of registering an installation, or of changing one.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The registration or the change has succeeded.
    ///
    /// The value is the device as it is now registered.
    case registered(DeviceRecord)
    /// Another request of the installation with a greater number has come before, so this one has changed nothing.
    case outdated(DeviceRecord)
    /// The installation's id is registered with another secret.
    case wrongSecret
    /// The installation's id is registered for another app.
    case otherApp
    /// The device does not exist, or another installation has taken over its token.
    case unknown
}
