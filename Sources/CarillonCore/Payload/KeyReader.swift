/// Reads Apple's keys from a dictionary one by one; as on iOS, a key with an invalid value counts as absent.
///
/// The keys that remain are unknown; ``rest`` keeps them.
struct KeyReader {
    private let members: JSONObject
    /// The keys that were read so far.
    private var taken: [PayloadKey] = []
    /// An error for each key that was ignored because its value is invalid, in the order in which the keys were read.
    private(set) var ignored: [PayloadError] = []

    init(_ members: JSONObject) {
        self.members = members
        taken.reserveCapacity(members.count)
    }

    /// The members of the dictionary whose keys were not read.
    var rest: JSONObject {
        taken.count == members.count ? [:] : members.filter { member in !taken.contains { $0.name == member.key } }
    }

    /// Reads a key's value; returns `nil` if the key is absent or its value is invalid.
    mutating func take(_ key: PayloadKey) -> JSONValue? {
        // Saves time, because most dictionaries have few of the many known keys.
        guard taken.count < members.count, let value = members[key.name] else { return nil }
        taken.append(key)
        guard let problem = key.value.problem(with: value) else { return value }
        ignored.append(PayloadError(key: key.path, problem: problem))
        return nil
    }

    mutating func takeText(_ key: PayloadKey) -> String? { take(key)?.stringValue }

    mutating func takeTexts(_ key: PayloadKey) -> [String]? { take(key)?.arrayValue?.compactMap(\.stringValue) }

    mutating func takeFlag(_ key: PayloadKey) -> Bool { PayloadValue.isOne(take(key)) }

    /// Reads a key whose value has keys of its own; returns `nil` if the key is absent or its value is invalid.
    ///
    /// The closure `read` returns the value, and an error for each invalid key inside it. These errors are added to
    /// ``ignored``.
    mutating func take<Value>(_ key: PayloadKey, _ read: (JSONValue) -> (Value, [PayloadError])) -> Value? {
        guard let value = take(key) else { return nil }
        let (read, ignored) = read(value)
        self.ignored += ignored
        return read
    }
}
