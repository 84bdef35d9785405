/// The reason why APNs rejects a request, with Apple's spelling and status.
///
/// The cases combine the table "Response error strings" of [Handling notification
/// responses](https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns) with the
/// reasons for broadcasts and channels in [Handling error
/// responses](https://developer.apple.com/documentation/usernotifications/handling-error-responses-from-apns).
///
/// Carillon's APNs client has its own table of reasons, so that tests reveal a mistake in either table.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// 400: the collapse id is longer than 64 bytes.
    case badCollapseID = "BadCollapseId"
    /// 400: the device token is malformed, unknown, or of the other environment (sandbox or production).
    case badDeviceToken = "BadDeviceToken"
    /// 400: `apns-expiration` is not a number of seconds.
    case badExpirationDate = "BadExpirationDate"
    /// 400: `apns-id` is not a UUID.
    case badMessageID = "BadMessageId"
    /// 400: `apns-priority` is not 10, 5 or 1, or is 10 for a background push.
    case badPriority = "BadPriority"
    /// 400: `apns-topic` is malformed.
    case badTopic = "BadTopic"
    /// 400: the device token belongs to another app.
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    /// 400: a header occurs twice.
    case duplicateHeaders = "DuplicateHeaders"
    /// 400: the sender sent no request for too long.
    ///
    /// This reason is sent in the debug data of a GOAWAY.
    case idleTimeout = "IdleTimeout"
    /// 400: `apns-push-type` is missing or unknown.
    case invalidPushType = "InvalidPushType"
    /// 400: the path has no device token.
    case missingDeviceToken = "MissingDeviceToken"
    /// 400: `apns-topic` is missing, and the sender has no certificate with a single topic.
    case missingTopic = "MissingTopic"
    /// 400: there is no payload, or its `aps` is missing or empty.
    case payloadEmpty = "PayloadEmpty"
    /// 400: the credential does not cover the topic, or the topic lacks the push type's suffix.
    case topicDisallowed = "TopicDisallowed"
    /// 400: `apns-channel-id` is not base64.
    case badChannelID = "BadChannelId"
    /// 400: a request about channels has wrong parameters.
    ///
    /// The simulator gives this reason only as an injected fault (``Fault``).
    case badRequestParams = "BadRequestParams"
    /// 400: the body of a request about channels is wrong.
    case badRequestPayload = "BadRequestPayload"
    /// 400: the app already has the greatest allowed number of channels.
    case cannotCreateChannelConfig = "CannotCreateChannelConfig"
    /// 400: the app has no channel with this id.
    case channelNotRegistered = "ChannelNotRegistered"
    /// 400: broadcasts are not enabled for the app.
    case featureNotEnabled = "FeatureNotEnabled"
    /// 400: `apns-channel-id` is missing.
    case missingChannelID = "MissingChannelId"
    /// 400: the push type of a channel or of a broadcast is missing.
    case missingPushType = "MissingPushType"
    /// 403: the client certificate is not valid.
    case badCertificate = "BadCertificate"
    /// 403: the client certificate is for the other environment (sandbox or production).
    case badCertificateEnvironment = "BadCertificateEnvironment"
    /// 403: the signing key is for the other environment (sandbox or production).
    ///
    /// Apple's servers send `BadEnvironmentKeyInToken`, although Apple's documentation has `BadEnvironmentKeyIdInToken`.
    case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
    /// 403: the provider token is older than an hour.
    case expiredProviderToken = "ExpiredProviderToken"
    /// 403: the credential is of the wrong kind for this push type.
    case forbidden = "Forbidden"
    /// 403: the provider token or its signature is invalid.
    case invalidProviderToken = "InvalidProviderToken"
    /// 403: there is neither a provider token nor a client certificate.
    case missingProviderToken = "MissingProviderToken"
    /// 403: the credential does not cover the app of the channel.
    case topicMismatch = "TopicMismatch"
    /// 403: the token's signing key is neither the key of the connection's first token nor related to that key.
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    /// 404: the path is not one of APNs' paths.
    case badPath = "BadPath"
    /// 405: the path does not allow the method.
    case methodNotAllowed = "MethodNotAllowed"
    /// 410: the device token has expired.
    case expiredToken = "ExpiredToken"
    /// 410: the app is no longer on the device, or has unregistered.
    case unregistered = "Unregistered"
    /// 413: the payload has more bytes than its push type allows.
    case payloadTooLarge = "PayloadTooLarge"
    /// 429: the connection's provider token changed again within 20 minutes.
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    /// 429: the device token got more requests than ``DeliveryRules/requestBudget`` allows.
    case tooManyRequests = "TooManyRequests"
    /// 500: an internal error of APNs occurred.
    ///
    /// The simulator gives this reason only as an injected fault (``Fault``).
    case internalServerError = "InternalServerError"
    /// 503: APNs is not available.
    ///
    /// The simulator gives this reason only as an injected fault (``Fault``).
    case serviceUnavailable = "ServiceUnavailable"
    /// 503: APNs is shutting down.
    ///
    /// This reason is sent in the debug data of a GOAWAY, or as an injected fault (``Fault``).
    case shutdown = "Shutdown"

    /// The HTTP status of the reason.
    public var status: Int {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed, .badChannelID, .badRequestParams, .badRequestPayload,
            .cannotCreateChannelConfig, .channelNotRegistered, .featureNotEnabled, .missingChannelID, .missingPushType:
            400
        case .badCertificate, .badCertificateEnvironment, .badEnvironmentKeyInToken, .expiredProviderToken,
            .forbidden, .invalidProviderToken, .missingProviderToken, .topicMismatch, .unrelatedKeyIDInToken:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }
}
