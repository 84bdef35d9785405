/// One notification of a batch, with its outcome.
public struct APNsDelivery: Sendable {
    /// The notification, sent or not.
    public var notification: APNsNotification {
        guard case .notification(let notification) = request.content else {
            preconditionFailure("a batch has only notifications")
        }
        return notification
    }
    /// The answer of APNs, or the error that explains why there is none.
    public let result: Result<APNsOutcome, APNsError>

    /// The request that holds the notification.
    ///
    /// Only reading ``notification`` copies the notification, so counting outcomes copies nothing.
    private let request: PendingSend

    init(_ request: PendingSend, _ result: Result<APNsOutcome, APNsError>) {
        self.request = request
        self.result = result
    }
}
