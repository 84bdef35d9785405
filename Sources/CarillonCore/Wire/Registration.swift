/// Which of Apple's two worlds a device token belongs to; said by the app, per token.
public enum APNsEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    case production
    case sandbox
}

/// What the person has allowed, as the service needs to know it.
public enum PermissionState: String, Sendable, Hashable, CaseIterable, Codable {
    case notDetermined = "not-determined"
    case denied
    case authorized
    case provisional
    case ephemeral
}

/// The body of `POST /v1/devices`: an installation tells the service where it can be reached.
///
/// The installation makes up its id and its secret once and keeps both; the service keeps only a hash of the secret.
/// Registering again with the same id needs the same secret, and replaces what was known.
public struct Registration: Sendable, Hashable, Codable {
    /// The installation's id: 1–64 bytes like a ``MessageID``; a new one after every reinstall.
    public var installation: String
    /// 32 or more random bytes as hexadecimal.
    public var secret: String
    /// The app's bundle id.
    public var topic: String
    public var environment: APNsEnvironment
    public var token: DeviceToken
    public var permission: PermissionState
    /// A short-lived token, signed by the customer's backend, that binds this installation to a user. Absent: unbound,
    /// or as bound as it was.
    public var signInToken: String?
    public var locale: String?
    public var timeZone: String?
    public var appVersion: String?
    public var tags: [String]?

    public init(
        installation: String, secret: String, topic: String, environment: APNsEnvironment, token: DeviceToken,
        permission: PermissionState, signInToken: String? = nil, locale: String? = nil, timeZone: String? = nil,
        appVersion: String? = nil, tags: [String]? = nil
    ) {
        self.installation = installation
        self.secret = secret
        self.topic = topic
        self.environment = environment
        self.token = token
        self.permission = permission
        self.signInToken = signInToken
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
        self.tags = tags
    }

    enum CodingKeys: String, CodingKey {
        case installation, secret, topic, environment, token, permission, locale, tags
        case signInToken = "sign_in_token"
        case timeZone = "time_zone"
        case appVersion = "app_version"
    }
}

/// The answer to a registration.
public struct RegistrationAnswer: Sendable, Hashable, Codable {
    /// The installation's id, as it is known to the service.
    public var device: String
    /// The user it is bound to, if any.
    public var user: String?
    public var sync: SyncAnswer

    public init(device: String, user: String?, sync: SyncAnswer) {
        self.device = device
        self.user = user
        self.sync = sync
    }
}

/// The body of `PATCH /v1/devices/{id}`: what has changed. What is absent stays as it was.
public struct DeviceChange: Sendable, Hashable, Codable {
    public var token: DeviceToken?
    public var environment: APNsEnvironment?
    public var permission: PermissionState?
    /// Binds the installation to the user it names.
    public var signInToken: String?
    public var locale: String?
    public var timeZone: String?
    public var appVersion: String?
    /// Replaces all tags.
    public var tags: [String]?

    public init(
        token: DeviceToken? = nil, environment: APNsEnvironment? = nil, permission: PermissionState? = nil,
        signInToken: String? = nil, locale: String? = nil, timeZone: String? = nil, appVersion: String? = nil,
        tags: [String]? = nil
    ) {
        self.token = token
        self.environment = environment
        self.permission = permission
        self.signInToken = signInToken
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
        self.tags = tags
    }

    enum CodingKeys: String, CodingKey {
        case token, environment, permission, locale, tags
        case signInToken = "sign_in_token"
        case timeZone = "time_zone"
        case appVersion = "app_version"
    }
}
