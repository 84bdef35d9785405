import CarillonCore

/// Recognises a message that has no id of its own when iOS reports it twice: through the app delegate, which is given
/// the payload alone, and through the notification center, which adds an identifier.
///
/// The same payload may be sent twice, and is two messages then; so one report of each kind makes one message.
public struct UnidentifiedMessages: Sendable, Hashable, Codable {
    /// Beyond this many the oldest is forgotten.
    public static let countLimit = 50

    private struct Entry: Sendable, Hashable, Codable {
        let digest: String
        var identifier: String?
        var wasReportedByApplication: Bool
    }

    private var entries: [Entry] = []

    public init() {}

    /// The app delegate was given a payload with this digest.
    ///
    /// - Returns: whether it is a message that the app has not heard of.
    public mutating func reportedByApplication(digest: String) -> Bool {
        if let index = entries.firstIndex(where: { $0.digest == digest && !$0.wasReportedByApplication }) {
            entries[index].wasReportedByApplication = true
            return false
        }
        append(Entry(digest: digest, identifier: nil, wasReportedByApplication: true))
        return true
    }

    /// The notification center has shown, or the person has touched, a notification with this identifier.
    ///
    /// - Returns: whether it is a message that the app has not heard of.
    public mutating func reportedByCenter(identifier: String, digest: String) -> Bool {
        if entries.contains(where: { $0.identifier == identifier && $0.digest == digest }) { return false }
        if let index = entries.firstIndex(where: { $0.digest == digest && $0.identifier == nil }) {
            entries[index].identifier = identifier
            return false
        }
        append(Entry(digest: digest, identifier: identifier, wasReportedByApplication: false))
        return true
    }

    /// 64 bits that tell payloads apart (FNV-1a over their sorted JSON); no secret depends on them.
    public static func digest(_ payload: [String: JSONValue]) -> String {
        let bytes = (try? JSONValue.object(payload).encoded()).map(Array.init) ?? []
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entries.count > Self.countLimit { entries.removeFirst() }
    }
}
