import CarillonCore
import Foundation

/// An installation of an app, as the service knows it.
package struct DeviceRecord: Sendable, Hashable {
    /// The state that decides whether pushes are sent to a device.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// APNs has reported the token as no longer valid (410), and it was not registered again since.
        case unregistered
        /// APNs does not know the token (BadDeviceToken): often the wrong environment rather than a dead device.
        case quarantined
        /// Another installation has proved that it holds this one's token; this one has no rights any more.
        case superseded
        /// Another installation holds the token, until this one proves that pushes to the token reach it.
        case awaitingToken = "awaiting-token"
    }

    /// The installation's id.
    package var id: String
    /// SHA-256 of the installation's secret.
    var secretHash: Data
    /// The app that it belongs to for good.
    package var app: AppReference
    package var environment: APNsEnvironment
    /// The device token; `nil` if the device has none, or if another device holds its token now.
    package var token: DeviceToken?
    /// The time of the token's last registration, with which a 410's timestamp is compared.
    package var tokenRegistered: Timestamp
    package var state = State.active
    /// The user that it is bound to; `nil` if no user has signed in.
    package var user: String?
    /// Whether the user comes from an import and is not confirmed by a sign-in token.
    ///
    /// Pushes go to that user's devices, but the user is not told to anybody until a sign-in token confirms it.
    package var userIsImported = false
    /// Whether the tags come from an import; they stay until the app names its own.
    var tagsAreImported = false
    /// The facts that the app reports of the device.
    package var facts: DeviceFacts
    /// The time at which APNs first accepted a push to its token; `nil` for a device that may be invented.
    package var confirmed: Timestamp?
    /// The number of the device among its app's confirmed devices: counted from 1, never changed, never reused.
    package var ordinal: Int64?
    /// The token that the device claims while another installation holds it.
    package var claimedToken: DeviceToken?
    /// The time of its last request.
    package var seen: Timestamp

    /// Whether the device was imported, and no installation has registered with its token yet.
    package var isImported: Bool { secretHash.isEmpty }
    /// The user, if a sign-in token has confirmed it.
    var signedInUser: String? { userIsImported ? nil : user }
    /// The time since which the token is known to be valid; the distant past for an imported token, because it is unknown.
    var tokenVouched: Timestamp { isImported ? Timestamp(millisecondsSince1970: 0) : tokenRegistered }
}
