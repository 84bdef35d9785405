import CarillonAPNs
import CarillonCore

/// The decision on a push that follows from the outcome of one try.
package enum SendVerdict: Sendable, Hashable {
    /// The push is done.
    case accepted
    /// The push is given up: APNs refuses it for good, and neither the token nor the credential is at fault.
    case giveUp
    /// The token has been invalid since this time (410).
    case retireToken(since: Timestamp)
    /// The token is unknown to APNs.
    case quarantineToken
    /// The push is tried again after a while.
    case retry(mayHaveArrived: Bool)
    /// The credential is wrong: no push of the app can be sent, and this push waits.
    case stopApp
    /// The push was not tried, for a reason that is not its own, and waits as before.
    case putBack
    /// The push is never sent, because another try would not cure its fault; the text is the reason.
    case cancel(String)
}

extension SendVerdict {
    /// Returns whether a 410 is about the token as it was last registered.
    ///
    /// Apple: stop sending only if the token was not registered again after the 410's timestamp.
    static func retires(tokenRegistered: Timestamp, since moment: Timestamp) -> Bool { tokenRegistered <= moment }
}

extension SendOutcome {
    /// Decides what happens to the push after this outcome.
    ///
    /// Apple: a 410 with a time before the token's last registration says nothing about the token now, so the push is tried
    /// again. If APNs repeats the 410 often enough, the token is retired nonetheless.
    ///
    /// - Parameters:
    ///   - tokenRegistered: when the token was last registered.
    ///   - tries: the number of tries, this one included.
    ///   - rules: the limits of tries.
    ///   - now: when the outcome was known.
    /// - Returns: the verdict.
    package func verdict(
        tokenRegistered: Timestamp, tries: Int, _ rules: SendingRules, at now: Timestamp
    ) -> SendVerdict {
        switch self {
        case .accepted: .accepted
        case .unanswered: .retry(mayHaveArrived: true)
        case .unconnected, .distrusted, .notSent: .retry(mayHaveArrived: false)
        case .noCredential, .notBegun, .withheld: .putBack
        case .unsendable(let why): .cancel("the payload cannot be sent: \(why)")
        case .rejected(let rejection):
            switch rejection.remedy {
            case .giveUp: .giveUp
            case .quarantineDeviceToken: .quarantineToken
            case .fixCredential: .stopApp
            // The client has already tried again after the first two; a later try finds another token or connection.
            case .retryWithNewToken, .replaceConnection, .slowDown, .retryLater: .retry(mayHaveArrived: false)
            case .removeDeviceToken:
                if let since = rejection.timestamp,
                    !SendVerdict.retires(tokenRegistered: tokenRegistered, since: since)
                {
                    tries < rules.staleRejections ? .retry(mayHaveArrived: false) : .retireToken(since: now)
                } else {
                    .retireToken(since: rejection.timestamp ?? tokenRegistered)
                }
            }
        }
    }
}
