import CarillonCore

/// A refusal: what goes to the sender, and what the simulator adds for whoever looks into it.
public struct Rejection: Error, Sendable, Hashable {
    public let reason: RejectionReason

    /// Since when the device token is no longer valid; with status 410 only.
    public let timestamp: Timestamp?

    /// The check that decided. Checks run in the order of ``RequestCheck/allCases``; the first to object wins.
    public let check: RequestCheck

    /// A sentence for people, never sent: which value was wrong, and what would have been right. Holds no secret.
    public let detail: String

    public init(_ reason: RejectionReason, by check: RequestCheck, timestamp: Timestamp? = nil, detail: String) {
        self.reason = reason
        self.check = check
        self.timestamp = timestamp
        self.detail = detail
    }

    public var status: Int { reason.status }

    /// The body that APNs sends, byte for byte: `{"reason":"Unregistered","timestamp":1454948015990}`.
    var body: String {
        guard let timestamp else { return #"{"reason":"\#(reason.rawValue)"}"# }
        return #"{"reason":"\#(reason.rawValue)","timestamp":\#(timestamp.millisecondsSince1970)}"#
    }
}

/// The checks of a request, in the order in which the simulator makes them. Apple documents no order; this one refuses
/// first what needs the least knowledge, and is what docs/simulator.md promises.
public enum RequestCheck: String, Sendable, Hashable, CaseIterable, Codable {
    case fault, path, method, duplicateHeaders, messageID, credential, pushType, priority, expiration, collapseID,
        topic,
        payload, deviceToken, registration, rate
}
