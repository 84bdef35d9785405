/// Lists the rejection reasons that Apple documents, each with its HTTP status and remedy.
///
/// The table has 32 reasons for rejecting notifications, [Handling notification
/// responses](https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns), and nine
/// more for rejecting requests about channels and broadcasts, [Handling error
/// responses](https://developer.apple.com/documentation/usernotifications/handling-error-responses-from-apns).
extension APNsReason {
    /// HTTP 400: the collapse id is longer than 64 bytes.
    public static let badCollapseID = Self(rawValue: "BadCollapseId")
    /// HTTP 400: the device token is malformed, or belongs to the other environment (sandbox or production).
    public static let badDeviceToken = Self(rawValue: "BadDeviceToken")
    /// HTTP 400: `apns-expiration` is not a number of seconds.
    public static let badExpirationDate = Self(rawValue: "BadExpirationDate")
    /// HTTP 400: `apns-id` is not a UUID.
    public static let badMessageID = Self(rawValue: "BadMessageId")
    /// HTTP 400: `apns-priority` is not 1, 5 or 10, or not allowed for the push type.
    public static let badPriority = Self(rawValue: "BadPriority")
    /// HTTP 400: the topic is malformed.
    public static let badTopic = Self(rawValue: "BadTopic")
    /// HTTP 400: the device token belongs to another app than the topic.
    public static let deviceTokenNotForTopic = Self(rawValue: "DeviceTokenNotForTopic")
    /// HTTP 400: a header occurs twice.
    public static let duplicateHeaders = Self(rawValue: "DuplicateHeaders")
    /// HTTP 400: the request was not complete in time.
    public static let idleTimeout = Self(rawValue: "IdleTimeout")
    /// HTTP 400: `apns-push-type` is missing where it is required, or is unknown to APNs.
    public static let invalidPushType = Self(rawValue: "InvalidPushType")
    /// HTTP 400: the path has no device token.
    public static let missingDeviceToken = Self(rawValue: "MissingDeviceToken")
    /// HTTP 400: the topic is missing, and the certificate does not imply it.
    public static let missingTopic = Self(rawValue: "MissingTopic")
    /// HTTP 400: there is no payload, or `aps` is empty.
    public static let payloadEmpty = Self(rawValue: "PayloadEmpty")
    /// HTTP 400: the credential may not send for this topic.
    public static let topicDisallowed = Self(rawValue: "TopicDisallowed")
    /// HTTP 403: the certificate is not valid.
    public static let badCertificate = Self(rawValue: "BadCertificate")
    /// HTTP 403: the certificate is for the other environment (sandbox or production).
    public static let badCertificateEnvironment = Self(rawValue: "BadCertificateEnvironment")
    /// HTTP 403: the provider token is older than an hour.
    public static let expiredProviderToken = Self(rawValue: "ExpiredProviderToken")
    /// HTTP 403: the credential does not allow the action.
    public static let forbidden = Self(rawValue: "Forbidden")
    /// HTTP 403: the provider token is invalid: its signature, key id or team id is wrong.
    public static let invalidProviderToken = Self(rawValue: "InvalidProviderToken")
    /// HTTP 403: there is no certificate and no `authorization` header.
    public static let missingProviderToken = Self(rawValue: "MissingProviderToken")
    /// HTTP 403: the key id is not related to the key id in the connection's first token.
    public static let unrelatedKeyIDInToken = Self(rawValue: "UnrelatedKeyIdInToken")
    /// HTTP 403: the key is not allowed in this environment.
    public static let badEnvironmentKeyIDInToken = Self(rawValue: "BadEnvironmentKeyIdInToken")
    /// HTTP 404: the path is not `/3/device/…`.
    public static let badPath = Self(rawValue: "BadPath")
    /// HTTP 405: the method is not POST.
    public static let methodNotAllowed = Self(rawValue: "MethodNotAllowed")
    /// HTTP 410: the device token has expired.
    public static let expiredToken = Self(rawValue: "ExpiredToken")
    /// HTTP 410: the app is no longer on the device, or no longer registered.
    public static let unregistered = Self(rawValue: "Unregistered")
    /// HTTP 413: the payload has more bytes than its push type allows.
    public static let payloadTooLarge = Self(rawValue: "PayloadTooLarge")
    /// HTTP 429: the provider token changed more often than every 20 minutes on one connection.
    public static let tooManyProviderTokenUpdates = Self(rawValue: "TooManyProviderTokenUpdates")
    /// HTTP 429: too many notifications to this device in a row.
    public static let tooManyRequests = Self(rawValue: "TooManyRequests")
    /// HTTP 500: APNs failed.
    public static let internalServerError = Self(rawValue: "InternalServerError")
    /// HTTP 503: APNs is not available.
    public static let serviceUnavailable = Self(rawValue: "ServiceUnavailable")
    /// HTTP 503: this APNs server is shutting down.
    public static let shutdown = Self(rawValue: "Shutdown")

    /// HTTP 400: the channel id is not base64.
    public static let badChannelID = Self(rawValue: "BadChannelId")
    /// HTTP 400: a request about channels has wrong parameters.
    public static let badRequestParams = Self(rawValue: "BadRequestParams")
    /// HTTP 400: the body of a request about channels is wrong.
    public static let badRequestPayload = Self(rawValue: "BadRequestPayload")
    /// HTTP 400: the app already has 10,000 channels, the maximum.
    public static let cannotCreateChannelConfig = Self(rawValue: "CannotCreateChannelConfig")
    /// HTTP 400: the app has no channel with this id.
    public static let channelNotRegistered = Self(rawValue: "ChannelNotRegistered")
    /// HTTP 400: broadcasts are not enabled for the app's bundle id.
    public static let featureNotEnabled = Self(rawValue: "FeatureNotEnabled")
    /// HTTP 400: the channel id is missing.
    public static let missingChannelID = Self(rawValue: "MissingChannelId")
    /// HTTP 400: the push type of a channel or a broadcast is missing.
    public static let missingPushType = Self(rawValue: "MissingPushType")
    /// HTTP 403: the credential may not send to this app's channels.
    public static let topicMismatch = Self(rawValue: "TopicMismatch")

    struct Documentation: Sendable {
        let status: Int
        let remedy: APNsRemedy
    }

    /// Every documented reason, in the order of Apple's tables: first the 32 for notifications, then those for channels and
    /// broadcasts.
    package static let allDocumented: [Self] = table.map(\.0)

    static let documented = Dictionary(uniqueKeysWithValues: table.map { ($0, Documentation(status: $1, remedy: $2)) })

    private static let table: [(Self, Int, APNsRemedy)] = [
        (.badCollapseID, 400, .giveUp),
        (.badDeviceToken, 400, .quarantineDeviceToken),
        (.badExpirationDate, 400, .giveUp),
        (.badMessageID, 400, .giveUp),
        (.badPriority, 400, .giveUp),
        (.badTopic, 400, .giveUp),
        (.deviceTokenNotForTopic, 400, .quarantineDeviceToken),
        (.duplicateHeaders, 400, .giveUp),
        (.idleTimeout, 400, .retryLater),
        (.invalidPushType, 400, .giveUp),
        (.missingDeviceToken, 400, .giveUp),
        (.missingTopic, 400, .giveUp),
        (.payloadEmpty, 400, .giveUp),
        (.topicDisallowed, 400, .fixCredential),
        (.badCertificate, 403, .fixCredential),
        (.badCertificateEnvironment, 403, .fixCredential),
        (.expiredProviderToken, 403, .retryWithNewToken),
        (.forbidden, 403, .fixCredential),
        (.invalidProviderToken, 403, .fixCredential),
        (.missingProviderToken, 403, .fixCredential),
        (.unrelatedKeyIDInToken, 403, .fixCredential),
        (.badEnvironmentKeyIDInToken, 403, .fixCredential),
        (.badPath, 404, .giveUp),
        (.methodNotAllowed, 405, .giveUp),
        (.expiredToken, 410, .removeDeviceToken),
        (.unregistered, 410, .removeDeviceToken),
        (.payloadTooLarge, 413, .giveUp),
        (.tooManyProviderTokenUpdates, 429, .replaceConnection),
        (.tooManyRequests, 429, .slowDown),
        (.internalServerError, 500, .retryLater),
        (.serviceUnavailable, 503, .retryLater),
        (.shutdown, 503, .retryLater),
        (.badChannelID, 400, .giveUp),
        (.badRequestParams, 400, .giveUp),
        (.badRequestPayload, 400, .giveUp),
        (.cannotCreateChannelConfig, 400, .giveUp),
        (.channelNotRegistered, 400, .giveUp),
        (.featureNotEnabled, 400, .giveUp),
        (.missingChannelID, 400, .giveUp),
        (.missingPushType, 400, .giveUp),
        (.topicMismatch, 403, .fixCredential),
    ]
}
