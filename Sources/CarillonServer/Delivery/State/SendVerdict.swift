import CarillonAPNs
import CarillonCore

/// What follows from the outcome of one send: the one place where that is decided.
package enum SendVerdict: Sendable, Hashable {
    /// It is done.
    case accepted
    /// APNs refuses it for good, and neither the token nor the credential is at fault.
    case giveUp
    /// The token is not valid since then (410).
    case retireToken(since: Timestamp)
    /// APNs does not know the token.
    case quarantineToken
    /// To be tried again after a while.
    case retry(mayHaveArrived: Bool)
    /// The credential is wrong: nothing of this app can be sent, and this waits.
    case stopApp
    /// It was not tried, for a reason that is not its own: it waits as before.
    case putBack
    /// Never to be sent: trying again does not cure what is wrong with it.
    case cancel(String)
}

extension SendOutcome {
    /// What follows from it.
    ///
    /// Apple: a 410 about the time before the token was registered (again) says nothing about it now, so it is tried
    /// again; if APNs goes on saying so, the token is gone all the same.
    ///
    /// - Parameters:
    ///   - tokenRegistered: when the token was last registered.
    ///   - tries: how often the push was tried, this time included.
    ///   - rules: how often is enough.
    ///   - now: when the outcome was known.
    /// - Returns: the verdict.
    package func verdict(
        tokenRegistered: Timestamp, tries: Int, _ rules: SendingRules, at now: Timestamp
    ) -> SendVerdict {
        switch self {
        case .accepted: .accepted
        case .unanswered: .retry(mayHaveArrived: true)
        case .unconnected, .distrusted, .notSent: .retry(mayHaveArrived: false)
        case .noCredential, .notBegun: .putBack
        case .unsendable(let why): .cancel("the payload cannot be sent: \(why)")
        case .rejected(let rejection):
            switch rejection.remedy {
            case .giveUp: .giveUp
            case .quarantineDeviceToken: .quarantineToken
            case .fixCredential: .stopApp
            // The client has tried the first two already; a later attempt finds another token or connection.
            case .retryWithNewToken, .replaceConnection, .slowDown, .retryLater: .retry(mayHaveArrived: false)
            case .removeDeviceToken:
                if let since = rejection.timestamp, tokenRegistered > since {
                    tries < rules.staleRejections ? .retry(mayHaveArrived: false) : .retireToken(since: now)
                } else {
                    .retireToken(since: rejection.timestamp ?? tokenRegistered)
                }
            }
        }
    }
}
