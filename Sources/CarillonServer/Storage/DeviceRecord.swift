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

    package var id: String
    /// SHA-256 of the installation's secret.
    package var secretHash: Data
    package var topic: String
    package var environment: APNsEnvironment
    package var token: DeviceToken?
    /// When the token was last registered: what a 410's timestamp is compared with.
    package var tokenRegistered: Timestamp
    package var state: State
    package var user: String?
    package var permission: PermissionState
    package var locale: String?
    package var timeZone: String?
    package var appVersion: String?
    package var tags: [String]

    package init(
        id: String, secretHash: Data, topic: String, environment: APNsEnvironment, token: DeviceToken?,
        tokenRegistered: Timestamp, state: State = .active, user: String?, permission: PermissionState,
        locale: String? = nil, timeZone: String? = nil, appVersion: String? = nil, tags: [String] = []
    ) {
        self.id = id
        self.secretHash = secretHash
        self.topic = topic
        self.environment = environment
        self.token = token
        self.tokenRegistered = tokenRegistered
        self.state = state
        self.user = user
        self.permission = permission
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
        self.tags = tags
    }
}

/// What came of ``Store/register(_:at:)``.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The device as it stands now; its user may be one that it was bound to before.
    case registered(DeviceRecord, [TimelineEvent])
    /// The id belongs to an installation with another secret.
    case wrongSecret
}
