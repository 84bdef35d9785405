import CarillonCore
import Foundation
import NIOCore

/// The push type that the simulator infers for a push without `apns-push-type`.
///
/// Before the header existed, APNs and iOS inferred every type in this way. The topic's suffix decides first. With a certificate,
/// a payload with the key `mdm` is an `mdm` push. A payload with nothing but `content-available` is a background push. Every
/// other push is an alert.
struct InferredPushType: Sendable {
    let name: String
    /// The headers for the later checks.
    ///
    /// If the inferred type is `background` and the priority is 10, the priority is replaced by 5: before `apns-push-type`
    /// existed, background pushes could have any priority.
    private(set) var head: RequestHead

    // `mayBeMDM` says whether the sender may send pushes of the type `mdm`.
    init(_ head: RequestHead, sender: SenderIdentity, mayBeMDM: Bool, _ payload: ByteBuffer) {
        let topic = head.topic ?? sender.defaultTopic ?? ""
        let bySuffix = PushType.allCases.first { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) }
        let members = (try? JSONValue(parsing: Data(payload.readableBytesView)))?.members ?? [:]
        self.head = head
        let fitting = PushType.fitting(members)
        let pushType = bySuffix ?? (fitting == .mdm && !mayBeMDM ? .alert : fitting)
        name = pushType.rawValue
        if bySuffix == nil, pushType == .background, head.priority == "10" { self.head.priority = "5" }
    }
}
