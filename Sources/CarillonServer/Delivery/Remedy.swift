import CarillonCore

/// What to do about a rejection.
enum Remedy: Sendable, Hashable {
    case giveUp
    case retry
    /// The token is not valid since then.
    case retireToken(since: Timestamp)
    case quarantine
    /// The credential is wrong: nothing of this app can be sent.
    case stopApp

    /// - Parameter tokenRegistered: a 410 about an earlier life of the token is no verdict on this one; the delivery
    ///   is tried again.
    init(_ rejection: SendRejection, tokenRegistered: Timestamp) {
        switch (rejection.status, rejection.reason) {
        case (410, _):
            if let since = rejection.timestamp, tokenRegistered > since {
                self = .retry
            } else {
                self = .retireToken(since: rejection.timestamp ?? tokenRegistered)
            }
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): self = .quarantine
        case (400, "TopicDisallowed"), (400, "BadTopic"): self = .stopApp
        // Made anew by the client; when it comes as far as here, a later attempt has a new one.
        case (403, "ExpiredProviderToken"): self = .retry
        case (403, _): self = .stopApp
        case (429, _), (500..., _): self = .retry
        default: self = .giveUp
        }
    }
}
