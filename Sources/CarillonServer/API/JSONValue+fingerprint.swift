import CarillonCore
import Crypto
import Foundation

extension JSONValue {
    /// The SHA-256 of the value.
    ///
    /// White space, escapes and the order of members in the JSON text do not change the hash.
    /// The service stores the hash with each accepted message. If this algorithm changed, repeated requests would no
    /// longer match their messages.
    var fingerprint: Data {
        var hash = SHA256()
        add(to: &hash)
        return Data(hash.finalize())
    }

    /// Adds the value to the hash.
    ///
    /// The hashed bytes of each kind of value contain a letter for the kind. A value of variable length begins with its length.
    private func add(to hash: inout SHA256) {
        switch self {
        case .null: Self.add("n", 0, to: &hash)
        case .bool(let value): Self.add("b", value ? 1 : 0, to: &hash)
        case .int(let value): Self.add("i", UInt64(bitPattern: value), to: &hash)
        case .double(let value):
            // 1.0 equals 1, because JSON has only one kind of number.
            if let whole = Int64(exactly: value) {
                Self.add("i", UInt64(bitPattern: whole), to: &hash)
            } else {
                Self.add("d", value.bitPattern, to: &hash)
            }
        case .number(let text): addNumber(text, to: &hash)
        case .string(let text): Self.add(text, to: &hash)
        case .array(let elements):
            Self.add("a", UInt64(elements.count), to: &hash)
            for element in elements { element.add(to: &hash) }
        case .object(let members):
            Self.add("o", UInt64(members.count), to: &hash)
            for (name, member) in members.sorted() {
                Self.add(name, to: &hash)
                member.add(to: &hash)
            }
        }
    }

    /// Adds a number's value to the hash, so that `1`, `1.0` and `1e0` have equal hashes.
    private func addNumber(_ text: String, to hash: inout SHA256) {
        let decimal = decimal
        if let value = intValue, JSONValue.int(Int64(value)).decimal == decimal {
            JSONValue.int(Int64(value)).add(to: &hash)
        } else if let value = Double(text), JSONValue.double(value).decimal == decimal {
            JSONValue.double(value).add(to: &hash)
        } else if let decimal {
            Self.add(decimal.isNegative ? "m" : "p", UInt64(bitPattern: Int64(decimal.exponent)), to: &hash)
            Self.add(decimal.digits, to: &hash)
        }
    }

    private static func add(_ text: String, to hash: inout SHA256) {
        var text = text
        text.withUTF8 { bytes in
            add("s", UInt64(bytes.count), to: &hash)
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
        }
    }

    private static func add(_ kind: Unicode.Scalar, _ number: UInt64, to hash: inout SHA256) {
        withUnsafeBytes(of: (number.littleEndian, UInt64(kind.value).littleEndian)) { hash.update(bufferPointer: $0) }
    }
}
