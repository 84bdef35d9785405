import CarillonCore
import NIOCore

/// Performs the checks of a push's headers, from ``RequestCheck/pushType`` to ``RequestCheck/topic``.
///
/// These checks concern the headers' values, and whether the sender's credential allows the values.
struct HeaderRules: Sendable {
    /// Whether a request without `apns-push-type` is rejected.
    ///
    /// If `false`, the simulator infers the push type (``InferredPushType``).
    var isStrict: Bool
    /// Whether a push of the type `mdm` needs neither a certificate nor a topic of the team (``SimulatorDoor/mdm``).
    var takesAnyMDM = false

    static let collapseIDByteLimit = 64

    /// Checks the headers.
    ///
    /// - Parameters:
    ///   - head: the headers.
    ///   - sender: the sender's identity.
    ///   - payload: the body, for inferring a missing push type.
    /// - Returns: the parsed headers.
    /// - Throws: ``Rejection`` by the first failed check.
    func check(
        _ head: RequestHead, sender: SenderIdentity, payload: ByteBuffer
    ) throws(Rejection) -> PushRequest {
        let inferred =
            head.pushType == nil && !isStrict
            ? InferredPushType(head, sender: sender, mayBeMDM: sender.isCertificate || takesAnyMDM, payload) : nil
        let (pushType, rule) = try pushType(inferred?.name ?? head.pushType, sender: sender)
        let priority = try Self.priority(inferred?.head ?? head, rule: rule)
        let expiration = try Self.expiration(head)
        let collapseID = try collapseID(head)
        let topic = try topic(head, sender: sender)
        let bundleID = try bundleID(topic: topic, pushType: pushType, rule: rule, sender: sender)
        return PushRequest(
            topic: topic, bundleID: bundleID, pushType: pushType, priority: priority, expiration: expiration,
            collapseID: collapseID, rule: rule,
            note: note(inferred: inferred?.name, pushType, sender))
    }

    /// Returns the rule that the simulator tolerates a breach of; `nil` if there is none.
    private func note(inferred: String?, _ pushType: PushType, _ sender: SenderIdentity) -> String? {
        let notes = [
            inferred.map { "accepted: apns-push-type is missing; taken for \($0)" },
            pushType == .mdm && !sender.isCertificate
                ? "accepted through the door mdm: Apple's servers answer 403 Forbidden to an mdm push with a provider token"
                : nil,
        ]
        let text = notes.compactMap(\.self).joined(separator: "; ")
        return text.isEmpty ? nil : text
    }

    private func pushType(
        _ name: String?, sender: SenderIdentity
    ) throws(Rejection) -> (PushType, PushTypeRule) {
        guard let name else {
            throw Rejection(.invalidPushType, by: .pushType, detail: "apns-push-type is missing")
        }
        guard let pushType = PushType(rawValue: name) else {
            throw Rejection(
                .invalidPushType, by: .pushType,
                detail: "apns-push-type is not one of Apple's push types, in lower case")
        }
        let rule = pushType.rule
        switch (rule.credential, sender.isCertificate) {
        case (.tokenOnly, true):
            throw Rejection(
                .forbidden, by: .pushType, detail: "\(name) pushes need a provider token, not a certificate")
        case (.certificateOnly, false) where !takesAnyMDM:
            throw Rejection(
                .forbidden, by: .pushType, detail: "\(name) pushes need a certificate, not a provider token")
        default:
            return (pushType, rule)
        }
    }

    static func priority(_ head: RequestHead, rule: PushTypeRule) throws(Rejection) -> Int {
        guard let text = head.priority else { return rule.allowsImmediatePriority ? 10 : 5 }
        let priority = Int(text).flatMap { String($0) == text ? $0 : nil } ?? 0
        do throws(PushRefusal) {
            try rule.check(priority: priority)
        } catch {
            throw Rejection(error, by: .priority)
        }
        return priority
    }

    static func expiration(_ head: RequestHead) throws(Rejection) -> ExpirationHeader {
        guard let text = head.expiration else { return .unspecified }
        guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let seconds = Int64(text)
        else {
            throw Rejection(
                .badExpirationDate, by: .expiration, detail: "apns-expiration is a UNIX time in whole seconds, or 0")
        }
        // A time too large for milliseconds becomes the last possible one. Storing ends after 30 days anyway.
        return seconds == 0 ? .oneAttempt : .at(Timestamp(secondsSince1970: min(seconds, Int64.max / 1000)))
    }

    private func collapseID(_ head: RequestHead) throws(Rejection) -> String? {
        guard let text = head.collapseID, !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.collapseIDByteLimit else {
            throw Rejection(
                .badCollapseID, by: .collapseID,
                detail: "apns-collapse-id has \(text.utf8.count) bytes, at most \(Self.collapseIDByteLimit) are allowed"
            )
        }
        return text
    }

    private func topic(_ head: RequestHead, sender: SenderIdentity) throws(Rejection) -> String {
        guard let topic = head.topic ?? sender.defaultTopic else {
            throw Rejection(.missingTopic, by: .topic, detail: "apns-topic is missing")
        }
        guard !topic.isEmpty, topic.utf8.allSatisfy(Self.isTopicByte) else {
            throw Rejection(
                .badTopic, by: .topic, detail: "apns-topic is a bundle id: letters, digits, '-', '_' and '.'")
        }
        return topic
    }

    private func bundleID(
        topic: String, pushType: PushType, rule: PushTypeRule, sender: SenderIdentity
    ) throws(Rejection) -> String {
        guard topic.hasSuffix(rule.topicSuffix), topic.utf8.count > rule.topicSuffix.utf8.count else {
            throw Rejection(
                .topicDisallowed, by: .topic,
                detail: "the topic of a push of type \(pushType.rawValue) ends with \(rule.topicSuffix)")
        }
        let bundleID = String(topic.dropLast(rule.topicSuffix.count))
        guard pushType != .mdm || !takesAnyMDM else { return bundleID }
        // A key covers an app with all suffixes. A certificate covers only the topics that it names.
        guard sender.topics.contains(topic) || (!sender.isCertificate && sender.topics.contains(bundleID)) else {
            throw Rejection(
                .topicDisallowed, by: .topic, detail: "\(bundleID) is not among the topics of this credential")
        }
        return bundleID
    }

    private static func isTopicByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
