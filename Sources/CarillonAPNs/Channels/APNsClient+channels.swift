import CarillonCore
import Foundation
import NIOCore

/// Manages broadcast channels, each followed by many devices for one Live Activity.
///
/// See [Sending channel management
/// requests](https://developer.apple.com/documentation/usernotifications/sending-channel-management-requests-to-apns). Apple
/// manages channels at separate hosts: make a client with the endpoint ``APNsEndpoint/productionChannels`` or
/// ``APNsEndpoint/sandboxChannels``. The simulator answers all requests at its one port.
extension APNsClient {
    /// Sends a broadcast and waits for APNs' answer.
    ///
    /// Broadcasts go to the usual hosts, ``APNsEndpoint/production`` and ``APNsEndpoint/sandbox``.
    ///
    /// - Parameters:
    ///   - broadcast: the broadcast to send, which names its channel.
    ///   - deadline: the time limit. The default is ``APNsConfiguration/defaultDeadline``.
    /// - Returns: the answer of APNs; `apnsID` is the answer's `apns-request-id`.
    /// - Throws: ``APNsError`` if there is no answer.
    public func send(_ broadcast: APNsBroadcast, deadline: Duration? = nil) async throws(APNsError) -> APNsOutcome {
        try ChannelRules.check(broadcast)
        var fields = [
            ("apns-channel-id", broadcast.channelID), ("apns-push-type", PushType.liveactivity.rawValue),
            ("apns-priority", broadcast.priority.headerText),
        ]
        if let text = broadcast.expiration.headerText { fields.append(("apns-expiration", text)) }
        let request = ChannelRequest(
            method: .post, path: "/4/broadcasts/apps/\(broadcast.bundleID)",
            fields: fields.map { (name: $0, value: $1) }, body: broadcast.payload.buffer, id: broadcast.requestID)
        return try await outcome(of: makeRequest(request, deadline: deadline))
    }

    /// Makes a channel.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle id, without a push type's suffix.
    ///   - storagePolicy: whether APNs keeps the channel's latest broadcast for devices that are offline.
    ///   - requestID: the id of this request, which APNs repeats in its answer.
    ///   - deadline: the time limit. The default is ``APNsConfiguration/defaultDeadline``.
    /// - Returns: the new channel's id, or a rejection. An app can have at most 10,000 channels.
    /// - Throws: ``APNsError`` if there is no answer. With ``APNsError/Code/unknown``, the channel may exist;
    ///   ``channels(bundleID:requestID:deadline:)`` shows whether it does.
    public func createChannel(
        bundleID: String, storagePolicy: APNsChannelStoragePolicy, requestID: UUID, deadline: Duration? = nil
    ) async throws(APNsError) -> APNsChannelOutcome<String> {
        let body = #"{"message-storage-policy":\#(storagePolicy.rawValue),"push-type":"LiveActivity"}"#
        return try await manage(
            .post, "channels", bundleID, id: requestID, body: ByteBuffer(string: body), deadline: deadline
        ) { $0.head.channelID }
    }

    /// Returns a channel's storage policy.
    ///
    /// - Parameters:
    ///   - channelID: the channel's id.
    ///   - bundleID: the app's bundle id, without a push type's suffix.
    ///   - requestID: the id of this request, which APNs repeats in its answer.
    ///   - deadline: the time limit. The default is ``APNsConfiguration/defaultDeadline``.
    /// - Returns: the channel's storage policy, or a rejection.
    /// - Throws: ``APNsError`` if there is no answer.
    public func channel(
        _ channelID: String, bundleID: String, requestID: UUID, deadline: Duration? = nil
    ) async throws(APNsError) -> APNsChannelOutcome<APNsChannelStoragePolicy> {
        try ChannelRules.check(channelID: channelID)
        return try await manage(.get, "channels", bundleID, channelID: channelID, id: requestID, deadline: deadline) {
            Self.json($0)?["message-storage-policy"]?.intValue.flatMap(APNsChannelStoragePolicy.init(rawValue:))
        }
    }

    /// Deletes a channel, so that no device follows it any more.
    ///
    /// - Parameters:
    ///   - channelID: the channel's id.
    ///   - bundleID: the app's bundle id, without a push type's suffix.
    ///   - requestID: the id of this request, which APNs repeats in its answer.
    ///   - deadline: the time limit. The default is ``APNsConfiguration/defaultDeadline``.
    /// - Returns: the id of the deleted channel, or a rejection.
    /// - Throws: ``APNsError`` if there is no answer.
    public func deleteChannel(
        _ channelID: String, bundleID: String, requestID: UUID, deadline: Duration? = nil
    ) async throws(APNsError) -> APNsChannelOutcome<String> {
        try ChannelRules.check(channelID: channelID)
        return try await manage(
            .delete, "channels", bundleID, channelID: channelID, id: requestID, deadline: deadline
        ) { _ in channelID }
    }

    /// Lists an app's channels.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle id, without a push type's suffix.
    ///   - requestID: the id of this request, which APNs repeats in its answer.
    ///   - deadline: the time limit. The default is ``APNsConfiguration/defaultDeadline``.
    /// - Returns: the channels' ids in APNs' order, or a rejection.
    /// - Throws: ``APNsError`` if there is no answer.
    public func channels(
        bundleID: String, requestID: UUID, deadline: Duration? = nil
    ) async throws(APNsError) -> APNsChannelOutcome<[String]> {
        try await manage(.get, "all-channels", bundleID, id: requestID, deadline: deadline) { answer in
            guard let list = Self.json(answer)?["channels"]?.arrayValue else { return nil }
            let ids = list.compactMap(\.stringValue)
            return ids.count == list.count ? ids : nil
        }
    }

    private func manage<Value: Sendable>(
        _ method: ChannelRequest.Method, _ name: String, _ bundleID: String, channelID: String? = nil, id: UUID,
        body: ByteBuffer = ByteBuffer(), deadline: Duration?, read: (APNsAnswer) -> Value?
    ) async throws(APNsError) -> APNsChannelOutcome<Value> {
        try ChannelRules.check(bundleID: bundleID)
        let request = makeRequest(
            ChannelRequest(
                method: method, path: "/1/apps/\(bundleID)/\(name)",
                fields: channelID.map { [(name: "apns-channel-id", value: $0)] } ?? [], body: body, id: id,
                answerByteLimit: ClientLimits.channelAnswerByteLimit),
            deadline: deadline)
        if case .rejected(let rejection) = try await outcome(of: request) { return .rejected(rejection) }
        guard let answer = request.content.reply?.answer, let value = read(answer) else {
            throw .unreadableAnswer
        }
        return .done(value)
    }

    private static func json(_ answer: APNsAnswer) -> JSONValue? {
        answer.json.flatMap { try? JSONValue(parsing: Data($0.readableBytesView)) }
    }
}
