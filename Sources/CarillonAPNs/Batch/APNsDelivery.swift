/// One notification of a batch, and what became of it.
public struct APNsDelivery: Sendable {
    /// What was sent, or was to be sent.
    public let notification: APNsNotification
    /// An answer of APNs, or why there is none.
    public let result: Result<APNsOutcome, APNsError>
}
