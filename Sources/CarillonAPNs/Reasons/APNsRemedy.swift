/// The recommended response of a sender to a rejection by APNs.
public enum APNsRemedy: String, Sendable, Hashable, CaseIterable, Codable {
    /// Do not send the request again unchanged: its payload, a header or its path is invalid.
    ///
    /// Correct the request before sending it again.
    case giveUp

    /// Stop sending to the device token: it stopped being valid at the rejection's `timestamp`.
    ///
    /// If the app has registered the token again *after* that time, the token is valid, and you may continue.
    case removeDeviceToken

    /// Set the device token aside and report it: the token is not valid for this app in this environment.
    ///
    /// Often, sandbox and production are mixed up. Do not delete the token silently.
    case quarantineDeviceToken

    /// Stop sending for the app and tell a person: APNs refuses the key or certificate, or does not allow it for this topic.
    ///
    /// APNs would refuse every other notification of the app too.
    case fixCredential

    /// Send the request again at once with a new provider token: the present provider token is too old.
    case retryWithNewToken

    /// Send the request again on a new connection: the provider token has changed too often on this connection.
    case replaceConnection

    /// Wait before the next notification to *this* device: too many notifications went to it in a row.
    ///
    /// Other devices are not affected.
    case slowDown

    /// Send the request again later, with growing pauses: APNs has failed or is shutting down.
    ///
    /// In an outage, Apple recommends a pause of 15 minutes.
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
