/// The members of a JSON object: a dictionary that compares names by their bytes.
///
/// Two names that differ only in the composition of their characters, such as the two spellings of é, are two members ([RFC 8259
/// §8.3](https://www.rfc-editor.org/rfc/rfc8259#section-8.3)). In a Swift dictionary with strings as keys they would be one.
public struct JSONObject: Sendable, Hashable {
    private var members: [ExactText: JSONValue]

    /// Makes an object without members.
    public init() { members = [:] }

    /// Makes an object from a dictionary.
    ///
    /// - Parameter dictionary: the members by their names.
    public init(_ dictionary: [String: JSONValue]) {
        members = Dictionary(minimumCapacity: dictionary.count)
        for (name, value) in dictionary { members[ExactText(name)] = value }
    }

    /// The member with a name; `nil` if there is none.
    ///
    /// Setting `nil` removes the member.
    ///
    /// - Parameter name: the member's name.
    public subscript(name: String) -> JSONValue? {
        get { members[ExactText(name)] }
        set { members[ExactText(name)] = newValue }
    }

    /// The names of the members, in no order.
    public var keys: [String] { members.keys.map(\.text) }

    /// The members as a Swift dictionary.
    ///
    /// Of names that a Swift dictionary takes for one, the dictionary has the last in the order of their bytes.
    public var dictionary: [String: JSONValue] {
        var dictionary: [String: JSONValue] = [:]
        dictionary.reserveCapacity(members.count)
        for (name, value) in members { dictionary[name.text] = value }
        guard dictionary.count < members.count else { return dictionary }
        dictionary = [:]
        // An assignment to an existing key would keep the former spelling of the key.
        for (name, value) in sorted() {
            dictionary[name] = nil
            dictionary[name] = value
        }
        return dictionary
    }

    /// Returns the members in the order of their names.
    ///
    /// The order is that of Swift's strings; names that are equal for Swift are in the order of their bytes.
    package func sorted() -> [(key: String, value: JSONValue)] {
        members.sorted { one, other in
            let (left, right) = (one.key.text, other.key.text)
            return left == right ? one.key < other.key : left < right
        }.map { (key: $0.key.text, value: $0.value) }
    }

    /// Removes a member.
    ///
    /// - Parameter name: the member's name.
    /// - Returns: the member's value; `nil` if there is no such member.
    @discardableResult
    public mutating func removeValue(forKey name: String) -> JSONValue? { members.removeValue(forKey: ExactText(name)) }

    /// Adds or replaces a member.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - name: the member's name.
    /// - Returns: the former value; `nil` if the member is new.
    @discardableResult
    public mutating func updateValue(_ value: JSONValue, forKey name: String) -> JSONValue? {
        members.updateValue(value, forKey: ExactText(name))
    }

    /// Adds the members of another object.
    ///
    /// - Parameters:
    ///   - other: the other object.
    ///   - combine: returns the value of a member that both objects have, from both values.
    public mutating func merge(
        _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows { try members.merge(other.members, uniquingKeysWith: combine) }

    /// Returns this object with the members of another object.
    ///
    /// - Parameters:
    ///   - other: the other object.
    ///   - combine: returns the value of a member that both objects have, from both values.
    /// - Returns: the joined object.
    public func merging(
        _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows -> JSONObject {
        var joined = self
        try joined.merge(other, uniquingKeysWith: combine)
        return joined
    }

    /// Returns the object without the members for which `body` returns `nil`, with the values that `body` returns.
    package func compactMapValues(_ body: (JSONValue) throws -> JSONValue?) rethrows -> JSONObject {
        var object = JSONObject()
        object.members = try members.compactMapValues(body)
        return object
    }

    /// Returns the object with only the members that meet a condition.
    ///
    /// - Parameter isIncluded: the condition.
    /// - Returns: the remaining object.
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> JSONObject {
        var object = JSONObject()
        object.members = try members.filter { try isIncluded((key: $0.key.text, value: $0.value)) }
        return object
    }

    package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }
}

extension JSONObject: Collection {
    /// A member: its name and its value.
    public typealias Element = (key: String, value: JSONValue)

    /// The position of a member.
    public struct Index: Comparable {
        fileprivate let place: Dictionary<ExactText, JSONValue>.Index

        /// Orders positions.
        public static func < (one: Self, other: Self) -> Bool { one.place < other.place }
    }

    /// The position of the first member.
    public var startIndex: Index { Index(place: members.startIndex) }
    /// The position after the last member.
    public var endIndex: Index { Index(place: members.endIndex) }
    /// The number of members.
    public var count: Int { members.count }

    /// Returns the position after another one.
    public func index(after index: Index) -> Index { Index(place: members.index(after: index.place)) }

    /// The member at a position.
    public subscript(index: Index) -> Element {
        let (name, value) = members[index.place]
        return (key: name.text, value: value)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object from a dictionary literal; if a name is repeated, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
