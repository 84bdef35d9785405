/// One notification of a batch, and what became of it.
public struct APNsDelivery: Sendable {
    /// What was sent, or was to be sent.
    public var notification: APNsNotification {
        guard case .notification(let notification) = request.content else {
            preconditionFailure("a batch has only notifications")
        }
        return notification
    }
    /// An answer of APNs, or why there is none.
    public let result: Result<APNsOutcome, APNsError>

    /// Has the notification: who only counts outcomes does not pay for a copy of each.
    private let request: PendingSend

    init(_ request: PendingSend, _ result: Result<APNsOutcome, APNsError>) {
        self.request = request
        self.result = result
    }
}
