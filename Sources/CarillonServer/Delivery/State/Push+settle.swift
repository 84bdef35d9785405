import CarillonCore

extension Push {
    /// Its sender has said what came of it: the lease ends.
    ///
    /// A revision that is newer than the one which was sent waits for its own turn, which has come now.
    ///
    /// - Parameters:
    ///   - answer: what its sender says.
    ///   - verdict: what follows from that.
    ///   - rules: waits and limits.
    package mutating func settle(_ answer: Settlement, _ verdict: SendVerdict, _ rules: SendingRules) {
        endLease()
        switch verdict {
        case .accepted: reach = .accepted
        case .retry(mayHaveArrived: true): break
        case .giveUp, .retireToken, .quarantineToken, .retry, .stopApp, .putBack, .cancel: restoreReach()
        }
        guard revision == answer.revision else { return }
        let wait = rules.backoff.wait(failures: tries, jitter: answer.jitter)
        switch verdict {
        case .accepted: state = .accepted
        case .giveUp, .retireToken, .quarantineToken: state = .rejected
        case .cancel: state = .cancelled
        case .retry(mayHaveArrived: true) where attempt >= rules.unansweredAttempts: state = .unanswered
        case .retry(let mayHaveArrived): retry(due: answer.at + wait, mayHaveArrived: mayHaveArrived)
        case .stopApp: retry(due: answer.at + wait, mayHaveArrived: false)
        // It waits for a credential or for another sender, not for its turn: then it goes at once.
        case .putBack:
            tries = max(0, tries - 1)
            retry(due: answer.at, mayHaveArrived: false)
        }
    }
}
