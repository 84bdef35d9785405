/// The words of the inbox about each reason: its meaning in Apple's tables, and what a sender does about it.
///
/// See [Handling notification responses from
/// APNs](https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns).
extension RejectionReason {
    /// The meaning, as a sentence.
    var meaning: String { words.meaning }
    /// The remedy, as a sentence.
    var remedy: String { words.remedy }

    private static let asItIs = "Do not send the request again as it is."

    private var words: (meaning: String, remedy: String) {
        switch self {
        case .badDeviceToken, .deviceTokenNotForTopic, .missingDeviceToken, .unregistered, .expiredToken:
            aboutDeviceToken
        case .badCertificate, .badCertificateEnvironment, .badEnvironmentKeyInToken, .expiredProviderToken, .forbidden,
            .invalidProviderToken, .missingProviderToken, .topicDisallowed, .topicMismatch,
            .tooManyProviderTokenUpdates, .unrelatedKeyIDInToken:
            aboutCredential
        case .badChannelID, .badRequestParams, .badRequestPayload, .cannotCreateChannelConfig, .channelNotRegistered,
            .featureNotEnabled, .missingChannelID, .missingPushType:
            aboutChannel
        case .idleTimeout, .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown: aboutService
        default: aboutRequest
        }
    }

    private var aboutDeviceToken: (String, String) {
        switch self {
        case .badDeviceToken:
            (
                "The device token is malformed, or belongs to the other environment.",
                "Check the environment before you send to it again: a token from Xcode works in the sandbox only."
            )
        case .deviceTokenNotForTopic:
            ("The device token belongs to another app than the topic.", "Keep each token together with its app.")
        case .missingDeviceToken: ("The path has no device token.", "Send to /3/device/<device token>.")
        case .expiredToken:
            ("The device token has expired.", "Stop sending to it, unless the app registered it again since.")
        default:
            (
                "The app is no longer on the device, or the token was replaced.",
                "Stop sending to this token, unless the app registered it again after the timestamp."
            )
        }
    }

    private var aboutCredential: (String, String) {
        switch self {
        case .badCertificate: ("The certificate is not valid.", "Renew it, or use a signing key.")
        case .badCertificateEnvironment:
            ("The certificate is for the other environment.", "Send to the host of its environment.")
        case .badEnvironmentKeyInToken:
            ("The key is not allowed in this environment.", "Use a key for it, or send to the other host.")
        case .expiredProviderToken:
            ("The provider token is older than an hour.", "Sign a new one, and send the push again.")
        case .forbidden: ("The credential is of the wrong kind for this push type.", "Use the other kind.")
        case .invalidProviderToken:
            (
                "The provider token is invalid, or its signature could not be verified.",
                "Check the key, its id (kid), the team's id (iss), and the clock (iat)."
            )
        case .missingProviderToken:
            ("There is neither a provider token nor a certificate.", "Send authorization: bearer <provider token>.")
        case .topicDisallowed:
            ("The credential may not send to this topic.", "Check the topic, its suffix, and the rights of the key.")
        case .topicMismatch:
            ("The credential does not cover the channel's app.", "Use a key or certificate of this app.")
        case .tooManyProviderTokenUpdates:
            (
                "The provider token changed more often than every 20 minutes.",
                "Keep a token for 20 to 60 minutes, and connect anew."
            )
        default:
            ("The key is not related to the connection's first key.", "Use another connection for this key.")
        }
    }

    private var aboutChannel: (String, String) {
        switch self {
        case .badChannelID: ("The channel id is not base64.", Self.asItIs)
        case .badRequestParams: ("The request about a channel has wrong parameters.", Self.asItIs)
        case .badRequestPayload: ("The body of the request about a channel is wrong.", Self.asItIs)
        case .cannotCreateChannelConfig:
            ("The app has 10,000 channels already.", "Delete channels that are no longer used.")
        case .channelNotRegistered: ("The app has no channel of this id.", "Create the channel first.")
        case .featureNotEnabled:
            ("Broadcasts are not enabled for the app.", "Enable the capability for its bundle id.")
        case .missingChannelID: ("The channel id is missing.", "Send apns-channel-id.")
        default: ("The push type is missing.", "Send push-type, or apns-push-type with a broadcast.")
        }
    }

    private var aboutService: (String, String) {
        switch self {
        case .idleTimeout: ("The connection had no request for too long.", "Connect again when there is one.")
        case .tooManyRequests:
            ("Too many pushes came for this device in a row.", "Wait before the next push to this one device.")
        case .internalServerError: ("APNs has failed.", "Send again later, with pauses that grow.")
        case .shutdown: ("This server of APNs is shutting down.", "Connect again, and send again.")
        default: ("APNs is not available.", "Send again later, with pauses that grow: Apple says after 15 minutes.")
        }
    }

    private var aboutRequest: (String, String) {
        switch self {
        case .badCollapseID: ("apns-collapse-id has more than 64 bytes.", "Shorten it.")
        case .badExpirationDate: ("apns-expiration is no time in seconds.", "Send whole seconds since 1970, or 0.")
        case .badMessageID: ("apns-id is no UUID.", "Send a UUID in its canonical form, or none.")
        case .badPath: ("The path is none of APNs'.", "Send to /3/device/<device token>.")
        case .badPriority: ("apns-priority is not allowed here.", "Send 10, 5 or 1; a background push has 5.")
        case .badTopic: ("apns-topic is no bundle id.", "Send the app's bundle id, with the suffix of the push type.")
        case .duplicateHeaders: ("A header of APNs occurs twice.", "Send each once.")
        case .invalidPushType: ("apns-push-type is missing or unknown.", "Send the type that fits the payload.")
        case .methodNotAllowed: ("The method is not allowed here.", "Use POST.")
        case .missingTopic: ("apns-topic is missing.", "Send the app's bundle id.")
        case .payloadEmpty: ("The payload is no JSON dictionary with aps.", "Send a payload with aps.")
        default: ("The payload has more bytes than its push type allows.", "Shorten it, and let the app load the rest.")
        }
    }
}
