import CarillonCore
import Foundation

/// The broadcast channels of the team's apps, which devices follow for Live Activities.
struct ChannelStore: Sendable {
    /// The channel's `message-storage-policy`: whether APNs stores the latest broadcast for devices that are offline.
    enum StoragePolicy: Int, Sendable {
        case noMessageStored = 0
        case mostRecentMessageStored = 1
    }

    /// The length of a channel's id, in bytes before the Base64 encoding.
    ///
    /// Apple's ids have 16 bytes.
    private static let idByteCount = 16

    /// The apps for which broadcasts are enabled.
    var enabledTopics: Set<String>
    private var channels: [String: [String: StoragePolicy]] = [:]

    init(enabledTopics: Set<String>) { self.enabledTopics = enabledTopics }

    func checkFeature(of bundleID: String) throws(Rejection) {
        guard enabledTopics.contains(bundleID) else {
            throw Rejection(.featureNotEnabled, by: .topic, detail: "broadcasts are not enabled for \(bundleID)")
        }
    }

    /// Creates a channel.
    ///
    /// - Returns: the new channel's id: 16 bytes in base64.
    mutating func create(
        in bundleID: String, configuration: Data, using generator: inout SeededGenerator
    ) throws(Rejection) -> String {
        guard let members = (try? JSONValue(parsing: configuration))?.objectValue else {
            throw Rejection(.badRequestPayload, by: .payload, detail: "the body is not a JSON dictionary")
        }
        guard let pushType = members["push-type"] else {
            throw Rejection(.missingPushType, by: .payload, detail: "push-type is missing in the body")
        }
        guard pushType == "LiveActivity",
            let policy = members["message-storage-policy"]?.intValue.flatMap(StoragePolicy.init(rawValue:))
        else {
            throw Rejection(
                .badRequestPayload, by: .payload, detail: "push-type is LiveActivity, message-storage-policy is 0 or 1")
        }
        guard channels[bundleID, default: [:]].count < SimulatorLimits.channelLimit else {
            throw Rejection(
                .cannotCreateChannelConfig, by: .registration,
                detail: "\(bundleID) has \(SimulatorLimits.channelLimit) channels already")
        }
        let bytes = (0..<Self.idByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let id = Data(bytes).base64EncodedString()
        channels[bundleID, default: [:]][id] = policy
        return id
    }

    func policy(of id: String?, in bundleID: String) throws(Rejection) -> StoragePolicy {
        guard let id else {
            throw Rejection(.missingChannelID, by: .registration, detail: "apns-channel-id is missing")
        }
        guard Data(base64Encoded: id)?.isEmpty == false else {
            throw Rejection(.badChannelID, by: .registration, detail: "apns-channel-id is not base64")
        }
        guard let policy = channels[bundleID]?[id] else {
            throw Rejection(.channelNotRegistered, by: .registration, detail: "\(bundleID) has no such channel")
        }
        return policy
    }

    mutating func delete(_ id: String?, in bundleID: String) throws(Rejection) {
        _ = try policy(of: id, in: bundleID)
        if let id { channels[bundleID]?[id] = nil }
    }

    func list(in bundleID: String) -> [String] { (channels[bundleID] ?? [:]).keys.sorted() }
}
