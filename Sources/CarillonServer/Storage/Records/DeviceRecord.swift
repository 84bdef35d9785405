import CarillonCore
import Foundation

/// An installation of an app, as the service knows it.
package struct DeviceRecord: Sendable, Hashable {
    /// The state that decides whether pushes are sent to a device.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// APNs reported the token as no longer valid (410), and the token has not been registered again.
        case unregistered
        /// APNs does not know the token (BadDeviceToken).
        ///
        /// Often the environment is wrong, rather than the device gone.
        case quarantined
        /// Another installation has proved that it holds this installation's token.
        ///
        /// This one has lost all rights.
        case superseded
        /// Another installation holds the token, until this one proves that pushes to the token reach it.
        case awaitingToken = "awaiting-token"
    }

    /// The installation's id.
    package var id: String
    /// SHA-256 of the installation's secret.
    var secretHash: Data
    /// The app that the installation belongs to.
    ///
    /// It never changes.
    package var app: AppReference
    package var environment: APNsEnvironment
    /// The device token; `nil` if the device has none, or if another device holds it now.
    package var token: DeviceToken?
    /// The time of the token's last registration.
    ///
    /// A 410 with an older timestamp is not about this registration.
    package var tokenRegistered: Timestamp
    package var state = State.active
    /// The user that the device is bound to; `nil` if no user has signed in.
    package var user: String?
    /// Whether the user comes from an import and no sign-in token has confirmed it.
    ///
    /// The device gets that user's pushes. But until a sign-in token confirms the user, the service does not reveal it to the
    /// installation.
    package var userIsImported = false
    /// Whether the tags come from an import.
    ///
    /// They stay until the app sets its own.
    var tagsAreImported = false
    /// The facts that the app reports about the device.
    package var facts: DeviceFacts
    /// The time at which APNs first accepted a push to the token; `nil` for a device that may be invented.
    package var confirmed: Timestamp?
    /// The number of the device among its app's confirmed devices, counted from 1.
    ///
    /// It never changes and is never reused.
    package var ordinal: Int64?
    /// The token that the device claims while another installation holds it.
    package var claimedToken: DeviceToken?
    /// The time of the device's last request.
    package var seen: Timestamp

    /// Whether the device was imported and no installation has registered its token yet.
    package var isImported: Bool { secretHash.isEmpty }
    /// The user, if a sign-in token has confirmed it.
    var signedInUser: String? { userIsImported ? nil : user }
    /// The time since which the token is known to be valid.
    ///
    /// For an imported token it is unknown, so it is the year 1970.
    var tokenVouched: Timestamp { isImported ? Timestamp(millisecondsSince1970: 0) : tokenRegistered }
}
