/// An answer as it came, before the notification's own id is put to it.
struct APNsAnswer: Sendable, Hashable {
    let head: APNsAnswerHead
    /// What APNs says went wrong; `nil` with status 200.
    let error: APNsErrorBody?
}

extension APNsAnswer {
    /// The answer as the client's user gets it.
    ///
    /// - Parameter notification: its id is taken when the answer names none.
    /// - Returns: acceptance for an answer without an error, else a rejection.
    func outcome(to notification: APNsNotification) -> APNsOutcome {
        let apnsID = head.apnsID ?? notification.apnsID
        guard let error else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        return .rejected(
            APNsRejection(
                reason: error.reason, status: head.status, timestamp: error.timestamp, apnsID: apnsID))
    }
}
