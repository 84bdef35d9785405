import CarillonCore
import Foundation

/// An installation of an app, as the service knows it.
package struct DeviceRecord: Sendable, Hashable {
    /// The state that decides whether pushes are sent to a device.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// APNs reported the device's token as no longer valid (410), and the token has not been registered again.
        case unregistered
        /// APNs does not know the device's token (`BadDeviceToken`).
        ///
        /// Often the device still exists, but is registered with the wrong APNs environment.
        case quarantined
        /// Another installation has taken over this installation's token.
        ///
        /// This installation has lost all rights.
        case superseded
        /// The installation has registered a token that another installation holds.
        ///
        /// It must first prove that it receives the token's pushes.
        case awaitingToken = "awaiting-token"
    }

    /// The installation's id.
    package var id: String
    /// The SHA-256 of the installation's secret.
    var secretHash: Data
    /// The app that the installation belongs to.
    ///
    /// An installation never changes its app.
    package var app: AppReference
    package var environment: APNsEnvironment
    /// The device token; `nil` if the device has none, or if another installation now holds the token.
    package var token: DeviceToken?
    /// The time of the token's last registration.
    ///
    /// A response 410 of APNs with an older timestamp does not concern this registration.
    package var tokenRegistered: Timestamp
    package var state = State.active
    /// The user who is signed in on the device; `nil` for none.
    package var user: String?
    /// Whether the user comes from an import, and no sign-in token has confirmed the user.
    ///
    /// The device gets this user's pushes. But the service does not reveal the user to the installation until a sign-in token
    /// confirms the user.
    package var userIsImported = false
    /// Whether the tags come from an import.
    ///
    /// Imported tags stay until the app sets its own.
    var tagsAreImported = false
    /// The facts that the app reports about the device.
    package var facts: DeviceFacts
    /// The time at which the token was confirmed: APNs first accepted a push to it, or an import brought it.
    ///
    /// Before this, the value is `nil`, because a client may have invented the token.
    package var confirmed: Timestamp?
    /// The device's ordinal: its running number in its app, counted from 1; `nil` until the device's first token is confirmed.
    ///
    /// The service never gives an ordinal out twice. If an installation without an ordinal takes over the device's token, it also
    /// takes over the ordinal.
    package var ordinal: Int64?
    /// The token that the device has registered but that another installation still holds; `nil` if there is none.
    package var claimedToken: DeviceToken?
    /// The time of the device's last request.
    package var seen: Timestamp
    /// The number of the newest request that has registered, changed or signed out the installation; 0 for none.
    var sequence: Int64 = 0

    /// Whether the device was imported and no installation has registered its token yet.
    package var isImported: Bool { secretHash.isEmpty }
    /// The device's user if a sign-in token has confirmed the user; otherwise `nil`.
    var signedInUser: String? { userIsImported ? nil : user }
    /// The time from which the service knows the token to be valid; a 410 response of APNs with an older timestamp does not apply
    /// to it.
    ///
    /// For an imported token this time is unknown. So the value is the beginning of 1970, and any 410 response of APNs applies to
    /// the token.
    var tokenVouched: Timestamp { isImported ? Timestamp(millisecondsSince1970: 0) : tokenRegistered }
}
