import CarillonCore
import Foundation

extension JSONValue {
    /// Converts a value of `JSONSerialization` or of a push's `userInfo`; `nil` if the value is not JSON.
    ///
    /// - Parameter object: a string, a number, an array, a dictionary with string keys, or `NSNull`. Any other value, also
    ///   inside an array or a dictionary, such as a `Date`, makes the result `nil`.
    public init?(foundation object: Any) {
        switch object {
        case let value as String: self = .string(value)
        case let value as [String: Any]:
            guard let members = try? value.mapValues(Self.known) else { return nil }
            self = .object(members)
        case let value as JSONValue: self = value
        case let value as NSNumber: self.init(number: value)
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .int(Int64(value))
        case let value as Double: self = .double(value)
        case is NSNull: self = .null
        case let value as [Any]:
            guard let elements = try? value.map(Self.known) else { return nil }
            self = .array(elements)
        case let value as [AnyHashable: Any]:
            var members: [String: JSONValue] = [:]
            for (key, member) in value {
                guard let key = key as? String, let member = JSONValue(foundation: member) else { return nil }
                members[key] = member
            }
            self = .object(members)
        default: return nil
        }
    }

    private struct NoJSON: Error {}

    private static func known(_ object: Any) throws -> JSONValue {
        guard let value = JSONValue(foundation: object) else { throw NoJSON() }
        return value
    }

    private init(number: NSNumber) {
        // There are two boolean objects. Their type code is "c", which an Int8 also has on Apple's platforms.
        if number === NSNumber(value: true) || number === NSNumber(value: false) {
            self = .bool(number.boolValue)
        } else if let exact = Int64(exactly: number.doubleValue),
            exact == number.int64Value || exact.magnitude < 1 << 53
        {
            self = .int(number.int64Value)
        } else {
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
            // The number is too large for a signed integer.
            case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max): self = .number("\(number.uint64Value)")
            default: self = .int(number.int64Value)
            }
        }
    }

    /// The value in Foundation's types, as in a push's `userInfo`.
    ///
    /// Numbers are `NSNumber`s, so that an app may read a 1 as `Bool` and a `true` as `Int`.
    public var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .number(let text): Self.foundationNumber(text)
        case .string(let value): value
        case .array(let value): value.map(\.foundationObject)
        case .object(let value): value.dictionary.mapValues(\.foundationObject)
        }
    }

    /// Returns an integer if the number is an integer of at most 64 bits; otherwise the nearest double.
    private static func foundationNumber(_ text: String) -> NSNumber {
        if let value = JSONValue.number(text).intValue { return NSNumber(value: value) }
        if let value = UInt64(text) { return NSNumber(value: value) }
        return NSNumber(value: Double(text) ?? 0)
    }

    /// The members of an object, as in a push's `userInfo`; empty for any other kind of value.
    package var userInfo: [AnyHashable: Any] {
        guard case .object(let members) = self else { return [:] }
        var userInfo: [AnyHashable: Any] = [:]
        userInfo.reserveCapacity(members.count)
        for (name, member) in members.dictionary { userInfo[name] = member.foundationObject }
        return userInfo
    }
}
