import CarillonCore
import Foundation

/// The memory that recognises a push without a message id when iOS reports it to both delegates, the app's and the notification
/// center's.
///
/// iOS gives the app delegate no identifier, so the payloads are compared. One report to each of the two delegates, with equal
/// payloads, is one message. Two reports to the app delegate with equal payloads are two messages.
package struct UnidentifiedMessages: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the store's files.

    private struct Entry: Sendable, Hashable, Codable {
        package let digest: String
        package var identifier: String?
        var wasReportedByApplication: Bool
    }

    private var entries: [Entry] = []
    /// The payload digests of the delivered notifications, by identifier, from the last reading of Notification Center.
    private var listed: [String: String] = [:]

    /// Records a push that iOS has reported to the app delegate.
    ///
    /// - Parameter digest: the payload's digest.
    /// - Returns: `true` if the message is new; `false` if `UNUserNotificationCenter` has already reported it.
    mutating func markReportedByApplication(digest: String) -> Bool {
        if let index = entries.firstIndex(where: { $0.digest == digest && !$0.wasReportedByApplication }) {
            entries[index].wasReportedByApplication = true
            return false
        }
        append(Entry(digest: digest, identifier: nil, wasReportedByApplication: true))
        return true
    }

    /// Records a notification that `UNUserNotificationCenter` reported: in the foreground, among the delivered ones, or in a
    /// response.
    ///
    /// - Parameters:
    ///   - identifier: the notification's identifier.
    ///   - digest: the digest of its payload.
    /// - Returns: `true` if the message is new; `false` if the center or the app delegate has already reported it.
    mutating func markReportedByCenter(identifier: String, digest: String) -> Bool {
        if listed[identifier] == digest { return false }
        if entries.contains(where: { $0.identifier == identifier && $0.digest == digest }) { return false }
        if let index = entries.firstIndex(where: { $0.digest == digest && $0.identifier == nil }) {
            entries[index].identifier = identifier
            return false
        }
        append(Entry(digest: digest, identifier: identifier, wasReportedByApplication: false))
        return true
    }

    /// Replaces the remembered notifications with the ones that Notification Center contains now.
    ///
    /// - Parameter list: the notifications without a known message, newest first; beyond ``AppLimits/listedMessages`` the oldest
    ///   are forgotten.
    mutating func remember(_ list: [DeliveredNotification]) {
        listed = Dictionary(
            list.prefix(AppLimits.listedMessages).map { ($0.identifier, Self.digest($0.userInfo)) },
            uniquingKeysWith: { newer, _ in newer })
    }

    /// Returns a digest of a payload, made from its JSON with sorted keys.
    package static func digest(_ payload: [String: JSONValue]) -> String {
        Digest.hexadecimal(of: (try? JSONValue.object(payload).encoded()) ?? Data())
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entries.count > AppLimits.unidentifiedMessages { entries.removeFirst() }
    }
}

/// A digest of 64 bits that distinguishes texts ([FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/)); not for secrets.
enum Digest {
    /// Computes a digest.
    ///
    /// - Parameter bytes: any number of bytes.
    /// - Returns: up to 16 hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
