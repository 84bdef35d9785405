/// The recommended response of a sender to a rejection by APNs.
public enum APNsRemedy: String, Sendable, Hashable, CaseIterable, Codable {
    /// The request is invalid (payload, header or path).
    ///
    /// Correct the request before sending it again.
    case giveUp

    /// The device token stopped being valid at the rejection's `timestamp`.
    ///
    /// Stop sending to this token, unless the app has registered it again *after* that time.
    case removeDeviceToken

    /// The device token is not valid for this app in this environment.
    ///
    /// Often, sandbox and production are mixed up. Set the token aside and report it; do not delete it silently.
    case quarantineDeviceToken

    /// APNs refuses the key or certificate, or does not allow it for this topic.
    ///
    /// APNs would refuse every other notification of the app too. Stop sending for the app and tell a person.
    case fixCredential

    /// The provider token is too old.
    ///
    /// Send again at once with a new token.
    case retryWithNewToken

    /// The provider token has changed too often on this connection.
    ///
    /// Send again on a new connection.
    case replaceConnection

    /// Too many notifications went to this device in a row.
    ///
    /// Wait before the next notification to *this* device; other devices are not affected.
    case slowDown

    /// APNs has failed or is shutting down.
    ///
    /// Send again later, with growing pauses (Apple: 15 minutes in an outage).
    case retryLater
}

extension APNsRemedy {
    /// The remedy as a sentence for a person who sends a push by hand.
    public var advice: String {
        switch self {
        case .giveUp: "The request is wrong as it is: correct it before you send again."
        case .removeDeviceToken:
            "The app was deleted or has a new token: stop sending to this one, unless it was registered again since."
        case .quarantineDeviceToken:
            "Check that token, topic and environment belong together: a token from Xcode works in the sandbox only."
        case .fixCredential:
            "Check the key or certificate: key id, team id, and whether it may send for this topic and environment."
        case .retryWithNewToken: "Send again: a new provider token is made."
        case .replaceConnection: "Send again on a new connection: this one has had too many provider tokens."
        case .slowDown: "Too many pushes to this one device: wait before the next one to it."
        case .retryLater: "APNs cannot take it now: send again later, with growing pauses."
        }
    }
}
