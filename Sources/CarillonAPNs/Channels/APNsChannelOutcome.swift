/// What APNs answered a request about channels; a rejection is an answer too.
public enum APNsChannelOutcome<Value: Sendable>: Sendable {
    /// It is done; what was asked for.
    case done(Value)
    /// APNs rejected the request, and says why; ``APNsRejection/apnsID`` is the request's id.
    case rejected(APNsRejection)
}

extension APNsChannelOutcome: Equatable where Value: Equatable {}
