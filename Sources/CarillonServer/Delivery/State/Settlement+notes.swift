import CarillonAPNs
import CarillonCore

extension Settlement {
    /// APNs' reason and status, if it refused the push.
    var rejection: (reason: String, status: Int)? {
        guard case .rejected(let rejection) = outcome else { return nil }
        return (rejection.reason.rawValue, rejection.status)
    }

    /// Returns the timeline's notes on an outcome: that the push was sent, and its result.
    ///
    /// - Parameters:
    ///   - verdict: the decision on the push.
    ///   - rules: the limits of attempts.
    /// - Returns: up to two notes.
    func notes(_ verdict: SendVerdict, _ rules: SendingRules) -> [DeliveryNote] {
        var note = DeliveryNote(.sent, at: sent ?? at, purpose: purpose, revision: revision)
        note.attempt = attempt
        note.apnsID = apnsID?.lowercased
        var notes = sent == nil ? [] : [note]
        note.at = at
        switch verdict {
        case .accepted: note.event = .accepted
        case .giveUp, .retireToken, .quarantineToken: note.event = .rejected
        case .stopApp, .retry(mayHaveArrived: false):
            guard case .rejected = outcome else { return notes }
            note.event = .rejected
            note.detail = "will be tried again"
        case .putBack: return notes
        case .retry(mayHaveArrived: true):
            note.event = .unanswered
            note.detail =
                attempt < rules.unansweredAttempts
                ? "will be tried again" : "given up, so that it cannot alert again"
        case .cancel(let why):
            note.event = .cancelled
            note.detail = why
        }
        note.reason = rejection?.reason
        note.status = rejection?.status
        notes.append(note)
        return notes
    }
}
