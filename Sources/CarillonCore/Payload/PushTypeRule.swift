/// APNs' requirements for a push of one type.
///
/// The requirements come from the table "apns-push-type" of [Sending notification
/// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns). Carillon has
/// no other such table: the simulator, the client, the service, the simulated phone and `carillon validate` all read this one,
/// so that they cannot differ. docs/payloads.md shows the table with the evidence.
package struct PushTypeRule: Sendable, Hashable {
    package enum Credential: Sendable { case any, tokenOnly, certificateOnly }

    /// The suffix that the topic must have after the app's bundle id.
    package var topicSuffix: String
    /// The largest payload in bytes.
    package var payloadByteLimit: Int
    /// The kind of credential that may send a push of this type.
    package var credential: Credential
    /// Whether the payload must have an `aps` with content.
    ///
    /// A device-management push has an `mdm` key instead of `aps`. A location push has an empty `aps`, as in Apple's example. A
    /// push for a complication, a call or a file provider needs no content, because the app asks its own server.
    package var needsAps: Bool
    /// Whether priority 10 is allowed.
    ///
    /// Apple says about background pushes: "specifying 10 is an error".
    package var allowsImmediatePriority: Bool

    package init(
        topicSuffix: String = "", payloadByteLimit: Int = 4096, credential: Credential = .any, needsAps: Bool = true,
        allowsImmediatePriority: Bool = true
    ) {
        self.topicSuffix = topicSuffix
        self.payloadByteLimit = payloadByteLimit
        self.credential = credential
        self.needsAps = needsAps
        self.allowsImmediatePriority = allowsImmediatePriority
    }

    /// The requirements for a broadcast push.
    ///
    /// Apple: "The maximum payload size for a broadcast push notification is 5 KB" ([Sending broadcast push notification
    /// requests](https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns)).
    package static let broadcast = PushTypeRule(payloadByteLimit: 5120)
}

extension PushType {
    /// APNs' requirements for a push of this type.
    package var rule: PushTypeRule {
        switch self {
        case .accessory: PushTypeRule(topicSuffix: ".push-type.accessory")
        case .alert: PushTypeRule()
        case .background: PushTypeRule(allowsImmediatePriority: false)
        case .complication: PushTypeRule(topicSuffix: ".complication", needsAps: false)
        case .controls: PushTypeRule(topicSuffix: ".push-type.controls")
        case .fileprovider: PushTypeRule(topicSuffix: ".pushkit.fileprovider", needsAps: false)
        case .liveactivity: PushTypeRule(topicSuffix: ".push-type.liveactivity")
        case .location: PushTypeRule(topicSuffix: ".location-query", credential: .tokenOnly, needsAps: false)
        case .mdm: PushTypeRule(credential: .certificateOnly, needsAps: false)
        case .pushtotalk: PushTypeRule(topicSuffix: ".voip-ptt", needsAps: false)
        case .voip: PushTypeRule(topicSuffix: ".voip", payloadByteLimit: 5120, needsAps: false)
        case .widgets: PushTypeRule(topicSuffix: ".push-type.widgets")
        }
    }

    /// Returns the push type that fits a payload, as iOS inferred it before `apns-push-type` existed.
    ///
    /// - Parameter members: the payload's members.
    /// - Returns: `mdm` for a payload with the key `mdm` and no content in `aps`; `background` for a payload with only
    ///   `content-available`; otherwise `alert`.
    package static func fitting(_ members: JSONObject) -> PushType {
        if members["mdm"] != nil, members["aps"]?.members?.isEmpty ?? true { return .mdm }
        guard let aps = members["aps"]?.members else { return .alert }
        let shows = ["alert", "badge", "sound"].contains { aps[$0] != nil }
        return !shows && PayloadValue.isOne(aps["content-available"]) ? .background : .alert
    }
}

/// Checks a push's priority and payload; a failed check throws the refusal with which APNs would answer.
extension PushTypeRule {
    /// Checks `apns-priority`.
    ///
    /// - Parameter priority: `nil` for a push without a priority; every push type allows such a push.
    /// - Throws: ``PushRefusal`` with BadPriority.
    package func check(priority: Int?) throws(PushRefusal) {
        guard let priority else { return }
        guard [1, 5, 10].contains(priority) else {
            throw PushRefusal(reason: .badPriority, detail: "apns-priority is 10, 5 or 1")
        }
        guard priority < 10 || allowsImmediatePriority else {
            throw PushRefusal(
                reason: .badPriority, detail: "apns-priority 10 is an error for a background push; use 5 or 1")
        }
    }

    /// Checks the payload's size, and that the payload is a JSON dictionary that is not empty.
    ///
    /// Usually a member inside `aps` or beside it suffices; with `isStrict`, `aps` itself must have a member. An empty
    /// dictionary passes for push types whose rule does not require `aps`, and for Wallet passes, for which Apple asks for `{}`
    /// ([Adding a web service to update
    /// passes](https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes)).
    ///
    /// - Parameters:
    ///   - payload: the payload's bytes; they are not read if `byteCount` exceeds the limit.
    ///   - byteCount: the size of the whole payload.
    ///   - isForPass: whether the push is for a Wallet pass.
    ///   - isStrict: whether to refuse breaches of Apple's documentation that APNs tolerates.
    /// - Returns: the tolerated breach; `nil` for none.
    /// - Throws: ``PushRefusal`` with PayloadTooLarge or PayloadEmpty.
    package func check(
        payload: UnsafeRawBufferPointer, byteCount: Int, isForPass: Bool = false, isStrict: Bool = false
    ) throws(PushRefusal) -> String? {
        guard byteCount <= payloadByteLimit else {
            throw PushRefusal(
                reason: .payloadTooLarge,
                detail: "the payload has \(byteCount) bytes, at most \(payloadByteLimit) are allowed")
        }
        switch PayloadShape(reading: payload) {
        case .nothing: throw PushRefusal(reason: .payloadEmpty, detail: "there is no payload")
        case .malformed:
            throw PushRefusal(reason: .payloadEmpty, detail: "the payload is not one JSON dictionary in UTF-8")
        case .dictionary(let aps, let hasOther):
            guard aps != .filled, needsAps, !isForPass else { return nil }
            let flaw = aps == .absent ? "the payload has no aps dictionary" : "the aps dictionary is empty"
            guard hasOther, !isStrict else { throw PushRefusal(reason: .payloadEmpty, detail: flaw) }
            return "accepted: \(flaw)"
        }
    }
}

/// The refusal of a push by APNs.
package struct PushRefusal: Error, Sendable, Hashable {
    /// The reasons for which APNs refuses a push because of its priority or its payload; the raw values have Apple's spelling.
    package enum Reason: String, Sendable, CaseIterable {
        case badPriority = "BadPriority"
        case payloadEmpty = "PayloadEmpty"
        case payloadTooLarge = "PayloadTooLarge"
    }

    package let reason: Reason
    /// The mistake, as a sentence without a capital letter and a full stop.
    package let detail: String
}
