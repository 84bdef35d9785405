import CarillonCore

/// A rejection of a request: the answer to the sender, and details for the reader of the journal.
public struct Rejection: Error, Sendable, Hashable {
    /// The reason that the sender is told.
    public let reason: RejectionReason

    /// The time since which the device token is no longer valid; with status 410 only.
    public let timestamp: Timestamp?

    /// The check that rejected it; checks run in the order of `RequestCheck.allCases`, and the first to object
    /// decides.
    public let check: RequestCheck

    /// A sentence for people, never sent, with the wrong value and the expected one; it contains no secret.
    public let detail: String

    init(_ reason: RejectionReason, by check: RequestCheck, timestamp: Timestamp? = nil, detail: String) {
        self.reason = reason
        self.check = check
        self.timestamp = timestamp
        self.detail = detail
    }

    init(_ refusal: PushRefusal, by check: RequestCheck) {
        let reason: RejectionReason =
            switch refusal.reason {
            case .badPriority: .badPriority
            case .payloadEmpty: .payloadEmpty
            case .payloadTooLarge: .payloadTooLarge
            }
        self.init(reason, by: check, detail: refusal.detail)
    }

    /// The HTTP status that goes with the reason.
    public var status: Int { reason.status }

    /// The body that APNs sends, byte for byte: `{"reason":"Unregistered","timestamp":1454948015990}`.
    var body: String {
        guard let timestamp else { return #"{"reason":"\#(reason.rawValue)"}"# }
        return #"{"reason":"\#(reason.rawValue)","timestamp":\#(timestamp.millisecondsSince1970)}"#
    }
}
