import CarillonCore

extension Push {
    /// Records the outcome that the sender reports, and ends the sender's exclusive right to send the push.
    ///
    /// If a newer revision was queued meanwhile, the newer revision is sent next.
    ///
    /// - Parameters:
    ///   - answer: the sender's report.
    ///   - verdict: the service's decision about the push after this outcome.
    ///   - rules: the waits and limits.
    package mutating func settle(_ answer: SentPush, _ verdict: SendVerdict, _ rules: SendingRules) {
        endLease()
        switch verdict {
        case .accepted: reach = .accepted
        case .retry(mayHaveArrived: true): break
        case .giveUp, .retireToken, .quarantineToken, .retry, .stopApp, .putBack, .cancel: restoreReach()
        }
        guard revision == answer.revision else { return }
        let wait = max(rules.backoff.wait(failures: tries, jitter: answer.jitter), answer.outcome.retryAfter)
        switch verdict {
        case .accepted: state = .accepted
        case .giveUp, .retireToken, .quarantineToken: state = .rejected
        case .cancel: state = .cancelled
        case .retry(mayHaveArrived: true) where attempt >= rules.unansweredAttempts: state = .unanswered
        case .retry(let mayHaveArrived): retry(due: answer.at + wait, mayHaveArrived: mayHaveArrived)
        case .stopApp: retry(due: answer.at + wait, mayHaveArrived: false)
        // The push waits for a credential or for another sender, and is due at once when that wait ends.
        case .putBack:
            tries = max(0, tries - 1)
            retry(due: answer.at, mayHaveArrived: false)
        }
    }
}
