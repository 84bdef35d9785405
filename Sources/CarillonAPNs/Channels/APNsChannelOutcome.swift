/// The answer of APNs to a request about channels.
///
/// A rejection is an answer, not an error.
public enum APNsChannelOutcome<Value: Sendable>: Sendable {
    /// APNs carried out the request.
    ///
    /// The value is the requested information.
    case done(Value)
    /// APNs rejected the request and gave a reason.
    ///
    /// ``APNsRejection/apnsID`` is the request's id.
    case rejected(APNsRejection)
}

extension APNsChannelOutcome: Equatable where Value: Equatable {}
