import CarillonCore
import Foundation
import NIOCore
import Synchronization

/// Answers for channels and broadcasts. A broadcast is checked and recorded; no simulated device follows a channel.
final class BroadcastService: Sendable {
    /// "The maximum payload size for a broadcast push notification is 5 KB."
    private static let rule = PushTypeRule(payloadByteLimit: 5120)

    private let channels: Mutex<ChannelStore>

    init(enabledTopics: Set<String>) { channels = Mutex(ChannelStore(enabledTopics: enabledTopics)) }

    func answer(
        _ route: ChannelRoute, _ exchange: Exchange, sender: SenderIdentity, generator: inout SeededGenerator
    ) throws(Rejection) -> Answer {
        guard sender.topics.contains(route.bundleID) else {
            throw Rejection(
                .topicMismatch, by: .topic, detail: "\(route.bundleID) is not among the topics of this credential")
        }
        let request = exchange.request
        var answer = Answer(status: 200, headers: exchange.identifiers)
        var random = generator.fork()
        try channels.withLock { store throws(Rejection) in
            try store.checkFeature(of: route.bundleID)
            switch route.action {
            case .create:
                let body = Data(request.payload.readableBytesView)
                let id = try store.create(in: route.bundleID, configuration: body, using: &random)
                answer.status = 201
                answer.headers.append(.init(name: "apns-channel-id", value: id))
            case .read:
                let policy = try store.policy(of: request.head.channelID, in: route.bundleID)
                answer.body = #"{"message-storage-policy":\#(policy.rawValue),"push-type":"LiveActivity"}"#
            case .delete:
                try store.delete(request.head.channelID, in: route.bundleID)
                answer.status = 204
            case .list:
                let list = store.list(in: route.bundleID).map { #""\#($0)""# }.joined(separator: ",")
                answer.body = #"{"channels":[\#(list)]}"#
            case .broadcast:
                try Self.check(request, policy: try store.policy(of: request.head.channelID, in: route.bundleID))
            }
        }
        return answer
    }

    private static func check(_ request: IncomingRequest, policy: ChannelStore.StoragePolicy) throws(Rejection) {
        guard let pushType = request.head.pushType else {
            throw Rejection(.missingPushType, by: .pushType, detail: "apns-push-type is missing")
        }
        guard pushType == "liveactivity" else {
            throw Rejection(.invalidPushType, by: .pushType, detail: "a broadcast is of type liveactivity")
        }
        _ = try HeaderRules.priority(request.head, rule: rule)
        let expiration = try HeaderRules.expiration(request.head)
        guard policy == .mostRecentMessageStored || expiration == .oneAttempt else {
            throw Rejection(
                .badExpirationDate, by: .expiration, detail: "the channel stores nothing, so apns-expiration must be 0")
        }
        try PayloadRules.check(request.payload, byteCount: request.payloadByteCount, rule: rule)
    }
}
