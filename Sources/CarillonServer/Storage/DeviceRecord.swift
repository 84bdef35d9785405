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
        /// Another installation has registered the same token since.
        case superseded
    }

    /// The installation's id.
    var id: String
    /// SHA-256 of the installation's secret.
    var secretHash: Data
    /// The app's bundle id.
    var topic: String
    var environment: APNsEnvironment
    /// `nil` for a superseded device, whose token is another's now.
    package var token: DeviceToken?
    /// When the token was last registered: what a 410's timestamp is compared with.
    package var tokenRegistered: Timestamp
    package var state = State.active
    /// The user it is bound to; `nil` when nobody has signed in.
    package var user: String?
    /// What its app says of it.
    package var facts: DeviceFacts
}

extension DeviceRecord {
    /// A device as its registration describes it, active from now on.
    init(_ registration: Registration, user: String?, at now: Timestamp) {
        self.init(
            id: registration.installation, secretHash: SecretHash.of(registration.secret), topic: registration.topic,
            environment: registration.environment, token: registration.token, tokenRegistered: now, user: user,
            facts: registration.facts)
    }

    /// - Throws: `DecodingError` for a fact that is not of the expected type.
    mutating func apply(_ change: DeviceChange) throws {
        token = change.token ?? token
        environment = change.environment ?? environment
        facts = try facts.applying(change.facts)
    }
}
