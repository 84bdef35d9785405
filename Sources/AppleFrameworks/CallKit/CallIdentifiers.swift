import Foundation
import Synchronization

/// A generator of identifiers for actions and transactions.
///
/// No identifier repeats, and each run of a program generates an equal sequence.
enum CallIdentifiers {
    private static let count = Atomic<UInt64>(0)

    static func next() -> UUID {
        let number = count.add(1, ordering: .relaxed).newValue
        // Version 8 of RFC 9562, for custom bits.
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return UUID(
            uuid: (
                0xCA, 0x11, 0, 0, 0, 0, 0x80, 0, 0x80, 0, bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
            ))
    }
}
