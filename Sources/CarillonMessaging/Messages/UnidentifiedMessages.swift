import CarillonCore
import Foundation

/// Recognises a message without an id when iOS reports it twice.
///
/// The app delegate is given the payload alone, the notification center's delegate also an identifier. The same payload
/// may be sent twice, and is two messages then; so one report of each kind makes one message.
package struct UnidentifiedMessages: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the store's files.

    private struct Entry: Sendable, Hashable, Codable {
        package let digest: String
        package var identifier: String?
        var wasReportedByApplication: Bool
    }

    private var entries: [Entry] = []
    /// The digests of the notifications that were in the list when it was read last, by their identifiers.
    private var listed: [String: String] = [:]

    /// The app delegate was given a payload.
    ///
    /// - Parameter digest: of the payload.
    /// - Returns: whether it is a message that the app's own code has not received.
    mutating func reportedByApplication(digest: String) -> Bool {
        if let index = entries.firstIndex(where: { $0.digest == digest && !$0.wasReportedByApplication }) {
            entries[index].wasReportedByApplication = true
            return false
        }
        append(Entry(digest: digest, identifier: nil, wasReportedByApplication: true))
        return true
    }

    /// The notification center has reported a notification: in the foreground, in the list, or in a response.
    ///
    /// - Parameters:
    ///   - identifier: of the notification.
    ///   - digest: of its payload.
    /// - Returns: whether it is a message that the app's own code has not received.
    mutating func reportedByCenter(identifier: String, digest: String) -> Bool {
        if listed[identifier] == digest { return false }
        if entries.contains(where: { $0.identifier == identifier && $0.digest == digest }) { return false }
        if let index = entries.firstIndex(where: { $0.digest == digest && $0.identifier == nil }) {
            entries[index].identifier = identifier
            return false
        }
        append(Entry(digest: digest, identifier: identifier, wasReportedByApplication: false))
        return true
    }

    /// The list was read, and what is in it was reported: it is known for as long as it stays there.
    ///
    /// - Parameter list: newest first; beyond ``AppLimits/listedMessages`` the oldest are forgotten.
    mutating func remember(_ list: [DeliveredNotification]) {
        listed = Dictionary(
            list.prefix(AppLimits.listedMessages).map { ($0.identifier, Self.digest($0.userInfo)) },
            uniquingKeysWith: { newer, _ in newer })
    }

    /// Distinguishes payloads, by their sorted JSON.
    package static func digest(_ payload: [String: JSONValue]) -> String {
        Digest.hexadecimal(of: (try? JSONValue.object(payload).encoded()) ?? Data())
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entries.count > AppLimits.unidentifiedMessages { entries.removeFirst() }
    }
}

/// 64 bits that distinguish texts ([FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/)); nothing secret depends on them.
enum Digest {
    /// - Parameter bytes: any number of them.
    /// - Returns: up to 16 hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
