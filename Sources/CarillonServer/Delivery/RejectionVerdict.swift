import CarillonCore

/// What to do about a rejection: try again, give up, or retire the device token (410).
enum RejectionVerdict: Sendable, Hashable {
    case giveUp
    case retry
    /// The token is not valid since then.
    case retireToken(since: Timestamp)
    case quarantine
    /// The credential is wrong: nothing of this app can be sent.
    case stopApp

    /// What to do about a rejection of a push to a token that was registered at `tokenRegistered`.
    ///
    /// A 410 about the time before the token was registered (again) says nothing about it now; the delivery is tried
    /// again.
    init(_ rejection: SendRejection, tokenRegistered: Timestamp) {
        switch rejection.reason.remedy(status: rejection.status) {
        case .giveUp: self = .giveUp
        case .quarantineDeviceToken: self = .quarantine
        case .fixCredential: self = .stopApp
        // The client has tried the first two already; a later attempt finds another token or connection.
        case .retryWithNewToken, .replaceConnection, .slowDown, .retryLater: self = .retry
        case .removeDeviceToken:
            if let since = rejection.timestamp, tokenRegistered > since {
                self = .retry
            } else {
                self = .retireToken(since: rejection.timestamp ?? tokenRegistered)
            }
        }
    }
}
