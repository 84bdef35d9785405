import CarillonCore
import Foundation
import NIOCore

/// The push type that the simulator infers for a push without `apns-push-type`.
///
/// Before the header existed, APNs and iOS inferred the type of every push so. The topic's suffix decides first. With a
/// certificate, a payload with the key `mdm` is an `mdm` push. A payload that only says `content-available` is a background
/// push; every other push is an alert.
struct InferredPushType: Sendable {
    let name: String
    /// The headers for the further checks; before the header existed, background pushes had any priority.
    private(set) var head: RequestHead

    init(_ head: RequestHead, sender: SenderIdentity, _ payload: ByteBuffer) {
        let topic = head.topic ?? sender.defaultTopic ?? ""
        let bySuffix = PushTypeRule.byName.first { name, rule in
            !rule.topicSuffix.isEmpty && topic.hasSuffix(rule.topicSuffix)
        }
        let members = (try? JSONValue(parsing: Data(payload.readableBytesView)))?.objectValue
        self.head = head
        if let bySuffix {
            name = bySuffix.key
        } else if sender.isCertificate, members?["mdm"] != nil {
            name = "mdm"
        } else if Self.isSilent(members?["aps"]?.objectValue) {
            name = "background"
            if head.priority == "10" { self.head.priority = "5" }
        } else {
            name = "alert"
        }
    }

    private static func isSilent(_ aps: [String: JSONValue]?) -> Bool {
        guard let aps, aps["content-available"]?.intValue == 1 else { return false }
        return ["alert", "badge", "sound"].allSatisfy { aps[$0] == nil }
    }
}
