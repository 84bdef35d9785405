import CarillonAPNs
import CarillonCore

/// The wait that a server asks for in the header `Retry-After`
/// ([RFC 9110 §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
enum RetryAfter: Sendable, Hashable {
    case seconds(Int)
    case moment(Timestamp)

    /// Reads the header; the result is `nil` for a text that is neither a number of seconds nor a date.
    init?(_ text: String) {
        if let seconds = Int(text) {
            self = .seconds(seconds)
        } else if let moment = Timestamp(httpDate: text) {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// Returns the wait from now on, which is never negative.
    func wait(at now: Timestamp) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(max(0, seconds))
        case .moment(let moment): max(.zero, moment - now)
        }
    }
}
