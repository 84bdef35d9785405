/// The answer of APNs to a request about channels; a rejection is an answer too.
public enum APNsChannelOutcome<Value: Sendable>: Sendable {
    /// APNs did what was requested; the value is the requested information.
    case done(Value)
    /// APNs rejected the request and gave a reason; ``APNsRejection/apnsID`` is the request's id.
    case rejected(APNsRejection)
}

extension APNsChannelOutcome: Equatable where Value: Equatable {}
