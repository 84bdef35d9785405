import CarillonCore
import Foundation

/// An installation of an app, as the service knows it.
package struct DeviceRecord: Sendable, Hashable {
    /// Whether pushes are sent to it.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// APNs said that the token is no longer valid (410), and it was not registered again since.
        case unregistered
        /// APNs does not know the token (BadDeviceToken): often the wrong environment rather than a dead device.
        case quarantined
        /// Another installation has proved to hold the same token since; this one has no rights any more.
        case superseded
        /// Its token is held by another installation, until this one proves that pushes to the token reach it.
        case awaitingToken = "awaiting-token"
    }

    /// The installation's id.
    package var id: String
    /// SHA-256 of the installation's secret.
    var secretHash: Data
    /// The app it belongs to, for ever.
    package var app: AppReference
    package var environment: APNsEnvironment
    /// `nil` for a device that has none, or whose token is another's now.
    package var token: DeviceToken?
    /// When the token was last registered: what a 410's timestamp is compared with.
    package var tokenRegistered: Timestamp
    package var state = State.active
    /// The user it is bound to; `nil` when nobody has signed in.
    package var user: String?
    /// Whether the user is as another provider said: pushes go to that user's devices, and nothing is told of the user until
    /// a sign-in token confirms it.
    package var userIsImported = false
    /// Whether the tags are another provider's: they stay until the app names its own.
    var tagsAreImported = false
    /// What its app says of it.
    package var facts: DeviceFacts
    /// When APNs first accepted a push to its token; `nil` for one that may be made up.
    package var confirmed: Timestamp?
    /// Its place among its app's confirmed devices: counted from 1, never changed, never used again.
    package var ordinal: Int64?
    /// A token that it says is its own, while another installation holds it.
    package var claimedToken: DeviceToken?
    /// When it was last heard of.
    package var seen: Timestamp

    /// Whether it is what another provider knew, and no installation has registered with its token yet.
    package var isImported: Bool { secretHash.isEmpty }
    /// The user, if a sign-in token has said so.
    var signedInUser: String? { userIsImported ? nil : user }
    /// From when on its token is known to be valid: nobody knows that of one which was imported.
    var tokenVouched: Timestamp { isImported ? Timestamp(millisecondsSince1970: 0) : tokenRegistered }
}
