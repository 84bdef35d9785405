/// What to do about a rejection: the one question that every sender has when APNs says no.
public enum APNsRemedy: String, Sendable, Hashable, CaseIterable, Codable {
    /// The request is wrong as it is and stays wrong: correct it (payload, header, path) before anything is sent again.
    case giveUp

    /// The device token stopped being valid at the rejection's `timestamp`. Stop sending to it, unless the app has
    /// registered the same token again *after* that moment.
    case removeDeviceToken

    /// The token is not one of this app in this environment. More often than not sandbox and production are mixed up:
    /// set the token aside and report it; do not delete it silently.
    case quarantineDeviceToken

    /// The key or the certificate is refused, or may not send for this topic: every other notification of the app
    /// would be refused too. Stop sending for it and tell a person.
    case fixCredential

    /// The provider token is too old: send again at once with a new one.
    case retryWithNewToken

    /// The connection has used up its provider tokens: send again on a new connection.
    case replaceConnection

    /// Too many notifications to this one device in a row: wait before the next one to *it*; others are not affected.
    case slowDown

    /// APNs is in trouble or going away: send again later, with growing pauses (Apple: 15 minutes in an outage).
    case retryLater
}
