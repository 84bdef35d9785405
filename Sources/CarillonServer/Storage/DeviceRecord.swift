import CarillonCore
import Foundation

/// An installation of an app, as the service knows it.
public struct DeviceRecord: Sendable, Hashable {
    /// Whether pushes are sent to it.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// APNs said that the token is no longer valid (410), and it was not registered again since.
        case unregistered
        /// APNs does not know the token (BadDeviceToken): often the wrong environment rather than a dead device.
        case quarantined
        /// Another installation has registered the same token since.
        case superseded
    }

    public var id: String
    /// SHA-256 of the installation's secret.
    public var secretHash: Data
    public var topic: String
    public var environment: APNsEnvironment
    public var token: DeviceToken?
    /// When the token was last registered: what a 410's timestamp is compared with.
    public var tokenRegistered: Timestamp
    public var state: State
    public var user: String?
    public var permission: PermissionState
    public var locale: String?
    public var timeZone: String?
    public var appVersion: String?
    public var tags: [String]

    public init(
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
public enum RegistrationOutcome: Sendable, Hashable {
    /// The device as it stands now; its user may be one that it was bound to before.
    case registered(DeviceRecord, [TimelineEvent])
    /// The id belongs to an installation with another secret.
    case wrongSecret
}
