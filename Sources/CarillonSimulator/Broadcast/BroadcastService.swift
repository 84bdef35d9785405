import CarillonCore
import Foundation
import NIOCore
import Synchronization

/// Answers requests about channels and broadcasts, and returns their effect on devices.
final class BroadcastService: Sendable {
    /// The effect of an accepted request on the devices that follow a channel.
    enum Effect: Sendable, Hashable {
        case none
        case broadcast(DeviceStore.Channel, priority: Int, ExpirationHeader)
        /// The channel was deleted, so devices no longer follow it.
        case end(DeviceStore.Channel)
    }

    private let channels: Mutex<ChannelStore>

    init(enabledTopics: Set<String>) { channels = Mutex(ChannelStore(enabledTopics: enabledTopics)) }

    /// Returns the first id that is not a channel of the app.
    ///
    /// - Parameters:
    ///   - ids: the channels' ids.
    ///   - bundleID: the app.
    /// - Returns: the id; `nil` if all ids are channels of the app.
    func unknown(among ids: [String], of bundleID: String) -> String? {
        channels.withLock { store in ids.first { (try? store.policy(of: $0, in: bundleID)) == nil } }
    }

    func answer(
        _ route: ChannelRoute, _ exchange: Exchange, sender: SenderIdentity, generator: inout SeededGenerator
    ) throws(Rejection) -> (Answer, Effect) {
        guard sender.topics.contains(route.bundleID) else {
            throw Rejection(
                .topicMismatch, by: .topic, detail: "\(route.bundleID) is not among the topics of this credential")
        }
        var random = generator.fork()
        return try channels.withLock { store throws(Rejection) in
            try store.checkFeature(of: route.bundleID)
            return try Self.act(route, exchange, on: &store, using: &random)
        }
    }

    private static func act(
        _ route: ChannelRoute, _ exchange: Exchange, on store: inout ChannelStore, using random: inout SeededGenerator
    ) throws(Rejection) -> (Answer, Effect) {
        let request = exchange.request
        let channelID = request.head.channelID
        let channel = DeviceStore.Channel(id: channelID ?? "", bundleID: route.bundleID)
        var answer = Answer(status: 200, headers: exchange.headers)
        switch route.action {
        case .create:
            let body = Data(request.payload.readableBytesView)
            let id = try store.create(in: route.bundleID, configuration: body, using: &random)
            answer.status = 201
            answer.headers.append(.init(name: "apns-channel-id", value: id))
        case .read:
            let policy = try store.policy(of: channelID, in: route.bundleID)
            answer.body = #"{"message-storage-policy":\#(policy.rawValue),"push-type":"LiveActivity"}"#
        case .delete:
            try store.delete(channelID, in: route.bundleID)
            answer.status = 204
            return (answer, .end(channel))
        case .list:
            let list = store.list(in: route.bundleID).map { #""\#($0)""# }.joined(separator: ",")
            answer.body = #"{"channels":[\#(list)]}"#
        case .broadcast:
            let policy = try store.policy(of: channelID, in: route.bundleID)
            return (answer, try check(request, for: channel, policy: policy))
        }
        return (answer, .none)
    }

    private static func check(
        _ request: IncomingRequest, for channel: DeviceStore.Channel, policy: ChannelStore.StoragePolicy
    ) throws(Rejection) -> Effect {
        guard let pushType = request.head.pushType else {
            throw Rejection(.missingPushType, by: .pushType, detail: "apns-push-type is missing")
        }
        guard pushType == "liveactivity" else {
            throw Rejection(.invalidPushType, by: .pushType, detail: "a broadcast is of type liveactivity")
        }
        let priority = try HeaderRules.priority(request.head, rule: .broadcast)
        let expiration = try HeaderRules.expiration(request.head)
        guard policy == .mostRecentMessageStored || expiration == .oneAttempt else {
            throw Rejection(
                .badExpirationDate, by: .expiration, detail: "the channel stores nothing, so apns-expiration must be 0")
        }
        _ = try BodyCheck.check(
            request.payload, byteCount: request.payloadByteCount, rule: .broadcast, bundleID: channel.bundleID,
            isStrict: true
        )
        return .broadcast(channel, priority: priority, expiration)
    }
}
