/// The header fields whose values are often equal in many requests, so that HPACK's dynamic table may hold the values.
enum HeaderField: UInt8, Sendable, CaseIterable {
    case authority, topic, pushType, priority, expiration, collapseID, contentLength

    var name: StaticString {
        switch self {
        case .authority: ":authority"
        case .topic: "apns-topic"
        case .pushType: "apns-push-type"
        case .priority: "apns-priority"
        case .expiration: "apns-expiration"
        case .collapseID: "apns-collapse-id"
        case .contentLength: "content-length"
        }
    }

    /// The index of the name in the static table ([RFC 7541, Appendix A](https://www.rfc-editor.org/rfc/rfc7541#appendix-A));
    /// `nil` if the static table does not contain it.
    var staticIndex: Int? {
        switch self {
        case .authority: 1
        case .contentLength: 28
        default: nil
        }
    }

    /// Whether a value of this field enters the dynamic table at its first use.
    ///
    /// If `false`, the value may differ with every notification and would evict repeated values, so it enters the table only
    /// when it occurs twice in a row.
    var repeatsForSure: Bool {
        switch self {
        case .authority, .topic, .pushType, .priority: true
        case .expiration, .collapseID, .contentLength: false
        }
    }
}
