/// A failure that the simulator injects on purpose into its handling of one request.
public enum Fault: Sendable, Hashable {
    /// The request is rejected with this reason.
    ///
    /// Nothing is delivered.
    case reject(RejectionReason)
    /// The request is answered with this status and body, documented or not, JSON or not.
    ///
    /// Nothing is delivered. `retryAfter` is the answer's `Retry-After` ([RFC 9110
    /// §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)), in whole seconds; `nil`, the default, for none.
    case answer(status: Int, body: String, retryAfter: Duration? = nil)
    /// The push is delivered or stored, but no answer is sent.
    case loseAnswer
    /// The request is lost: nothing is delivered, and no answer is sent.
    case loseRequest
    /// The stream is reset with this HTTP/2 error code instead of an answer.
    ///
    /// Nothing is delivered.
    case reset(code: UInt32)
    /// The connection is cut without GOAWAY.
    ///
    /// Nothing is delivered.
    case cut
    /// The connection stays open and says nothing more: neither this request nor a later one is read or answered, nor a PING.
    ///
    /// So ends a connection that a router has forgotten. Differs from it: this machine still confirms what TCP receives.
    case fallSilent
    /// The connection ends with GOAWAY whose last stream lies before this request.
    ///
    /// Neither this request nor a later one of the connection is processed, so the sender must send all of them again over
    /// another connection ([RFC 9113 §6.8](https://www.rfc-editor.org/rfc/rfc9113#section-6.8)). If a later stream has been
    /// processed already, the request's stream is refused (REFUSED_STREAM) instead, which says the same about it.
    case goAway
}
