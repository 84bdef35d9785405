/// Takes Apple's keys out of a dictionary one by one, as iOS does: a key with a bad value counts as absent.
///
/// The keys left at the end are unknown, and kept.
struct KeyReader {
    private let members: [String: JSONValue]
    /// The names that were found.
    private var taken: [String] = []
    /// The keys with a bad value, in the order in which they were asked for.
    private(set) var ignored: [PayloadError] = []

    init(_ members: [String: JSONValue]) { self.members = members }

    /// The members that have not been taken.
    var rest: [String: JSONValue] {
        taken.count == members.count ? [:] : members.filter { !taken.contains($0.key) }
    }

    /// Takes a key; `nil` when it is absent or has a bad value.
    mutating func take(_ key: PayloadKey) -> JSONValue? {
        // Most dictionaries have few of the many known keys.
        guard taken.count < members.count, let value = members[key.name] else { return nil }
        taken.append(key.name)
        guard let problem = key.value.problem(with: value) else { return value }
        ignored.append(PayloadError(key: key.path, problem: problem))
        return nil
    }

    mutating func takeText(_ key: PayloadKey) -> String? { take(key)?.stringValue }

    mutating func takeTexts(_ key: PayloadKey) -> [String]? { take(key)?.arrayValue?.compactMap(\.stringValue) }

    mutating func takeFlag(_ key: PayloadKey) -> Bool { PayloadValue.isOne(take(key)) }

    /// Takes a key whose value has keys of its own; theirs are ignored in their place.
    mutating func take<Value>(_ key: PayloadKey, _ read: (JSONValue) -> (Value, [PayloadError])) -> Value? {
        guard let value = take(key) else { return nil }
        let (read, ignored) = read(value)
        self.ignored += ignored
        return read
    }
}
