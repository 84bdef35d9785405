import CarillonCore
import Crypto
import Foundation

/// Computes the `apns-id` of a push.
///
/// The id is a UUID of version 5 ([RFC 9562, section 5.5](https://www.rfc-editor.org/rfc/rfc9562#section-5.5)), computed from the
/// push's message, device, purpose and revision. All attempts at one push have one id, and no other push has it.
enum PushIdentifier {
    /// The name space of Carillon's UUIDs.
    ///
    /// The name space was chosen once at random and must never change.
    private static let namespace: [UInt8] = [
        0x3d, 0x0c, 0x5e, 0x91, 0x7b, 0x42, 0x4c, 0x1e, 0x9f, 0x6a, 0x58, 0x21, 0xd4, 0x0b, 0xe7, 0x33,
    ]

    /// Returns the `apns-id` of one push.
    ///
    /// - Parameters:
    ///   - message: the message's id; empty for a push without a message.
    ///   - device: the device's id.
    ///   - purpose: the push's purpose.
    ///   - revision: the push's revision.
    /// - Returns: the id.
    static func uuid(message: String, device: String, purpose: PushPurpose, revision: Int) -> UUID {
        // Neither ids nor purposes contain the separator.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(namespace.count + message.utf8.count + device.utf8.count + 32)
        bytes += namespace
        for part in [message, device, purpose.rawValue] {
            bytes.append(text: part)
            bytes.append(UInt8(ascii: "|"))
        }
        bytes.append(text: String(revision))
        return uuid(of: bytes)
    }

    static func uuid(name: String, namespace: [UInt8]) -> UUID {
        uuid(of: namespace + Array(name.utf8))
    }

    private static func uuid(of named: [UInt8]) -> UUID {
        let hash = Insecure.SHA1.hash(data: named)
        var bytes = hash.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        bytes.6 = bytes.6 & 0x0f | 0x50
        bytes.8 = bytes.8 & 0x3f | 0x80
        return UUID(uuid: bytes)
    }
}

extension [UInt8] {
    /// Appends the UTF-8 bytes of a text in one operation.
    ///
    /// A loop over the characters would take as long as hashing the bytes, and so double the cost of an identifier.
    fileprivate mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}

extension UUID {
    /// The UUID in lower case, as APNs writes it.
    var lowercased: String { uuidString.lowercased() }
}
