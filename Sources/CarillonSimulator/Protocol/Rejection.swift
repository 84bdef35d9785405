import CarillonCore

/// A rejection of a request: the answer to the sender, and details for the reader of the journal.
public struct Rejection: Error, Sendable, Hashable {
    /// The reason that the sender gets.
    public let reason: RejectionReason

    /// The time since which the device token is no longer valid.
    ///
    /// The property is `nil` unless the status is 410.
    public let timestamp: Timestamp?

    /// The failed check.
    ///
    /// Checks run in the order of `RequestCheck.allCases`, and end with the first failure.
    public let check: RequestCheck

    /// An explanation for people, with the wrong value and the expected value.
    ///
    /// The explanation is never sent to the sender, and contains no secret.
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

    /// The HTTP status of the reason.
    public var status: Int { reason.status }

    /// The body that APNs sends, byte for byte: `{"reason":"Unregistered","timestamp":1454948015990}`.
    var body: String {
        guard let timestamp else { return #"{"reason":"\#(reason.rawValue)"}"# }
        return #"{"reason":"\#(reason.rawValue)","timestamp":\#(timestamp.millisecondsSince1970)}"#
    }
}
