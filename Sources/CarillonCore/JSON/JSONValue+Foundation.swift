import Foundation

extension JSONValue {
    /// Reads what `JSONSerialization` or a push's `userInfo` holds; `nil` when it is not JSON.
    ///
    /// - Parameter object: strings, numbers, arrays, dictionaries with string keys, `NSNull`. Anything else inside it,
    ///   such as a `Date`, makes the whole `nil`.
    public init?(foundation object: Any) {
        switch object {
        case is NSNull: self = .null
        case let value as JSONValue: self = value
        case let value as String: self = .string(value)
        case let value as Bool where !(object is NSNumber): self = .bool(value)
        case let value as Int where !(object is NSNumber): self = .int(Int64(value))
        case let value as Double where !(object is NSNumber): self = .double(value)
        case let value as NSNumber: self.init(number: value)
        case let value as [Any]:
            var elements: [JSONValue] = []
            for element in value {
                guard let element = JSONValue(foundation: element) else { return nil }
                elements.append(element)
            }
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

    private init(number: NSNumber) {
        // There are two booleans. Their type says "c", and so does an Int8's on Apple's platforms.
        if number === NSNumber(value: true) || number === NSNumber(value: false) {
            self = .bool(number.boolValue)
        } else if let exact = Int64(exactly: number.doubleValue),
            exact == number.int64Value || exact.magnitude < 1 << 53
        {
            self = .int(number.int64Value)
        } else if String(cString: number.objCType) == "d" || String(cString: number.objCType) == "f" {
            self = .double(number.doubleValue)
        } else {
            self = .int(number.int64Value)
        }
    }

    /// The value as Foundation's property-list types, the way a push's `userInfo` carries it.
    public var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .int(let value): Int(value)
        case .double(let value): value
        case .string(let value): value
        case .array(let value): value.map(\.foundationObject)
        case .object(let value): value.mapValues(\.foundationObject)
        }
    }
}
