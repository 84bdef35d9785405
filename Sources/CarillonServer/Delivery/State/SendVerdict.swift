import CarillonAPNs
import CarillonCore

/// The decision about a push after one try to send it.
package enum SendVerdict: Sendable, Hashable {
    /// APNs has accepted the push, so the push is done.
    case accepted
    /// The push is given up, because APNs rejected it for good; neither the token nor the credential is at fault.
    case giveUp
    /// The push is given up, because its token has been invalid since this time (status 410).
    case retireToken(since: Timestamp)
    /// The push is given up, because APNs does not know its token.
    case quarantineToken
    /// The push is tried again after a while; the value says whether the failed try may have arrived.
    case retry(mayHaveArrived: Bool)
    /// The app's credential is wrong, so no push of the app can be sent, and this push waits.
    case stopApp
    /// The push was not tried, for a reason that has nothing to do with the push.
    ///
    /// The push waits as before.
    case putBack
    /// The push is never sent, because another try would not cure its fault.
    ///
    /// The text is the reason.
    case cancel(String)
}

extension SendVerdict {
    /// Returns whether a 410 response of APNs applies to the token as last registered.
    ///
    /// Apple's rule: stop sending only if the token was not registered again after the time in the 410 response.
    static func retires(tokenRegistered: Timestamp, since moment: Timestamp) -> Bool { tokenRegistered <= moment }
}

extension SendOutcome {
    /// Decides what happens to the push after this outcome.
    ///
    /// By Apple's rule, a 410 older than the token's last registration does not make the token invalid, so the push is tried
    /// again. After ``SendingRules/staleRejections`` tries, the 410 makes the token invalid anyway.
    ///
    /// - Parameters:
    ///   - tokenRegistered: the time at which the token was last registered.
    ///   - tries: the number of tries, including this one.
    ///   - rules: the limits of tries.
    ///   - now: the time at which the outcome became known.
    /// - Returns: the decision about the push.
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
            // For the first two remedies, the client has already tried again. A later try uses another token or
            // connection.
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

extension SendVerdict {
    /// Whether APNs rejects the token of the push.
    var rejectsToken: Bool {
        switch self {
        case .retireToken, .quarantineToken: true
        case .accepted, .giveUp, .retry, .stopApp, .putBack, .cancel: false
        }
    }
}
