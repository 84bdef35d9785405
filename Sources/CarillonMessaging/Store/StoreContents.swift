/// The data that the SDK keeps between launches, except the ``InstallationIdentity`` and the inbox.
package struct StoreContents: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of a snapshot (``StoreGeneration``).

    package var policy: MessagePolicy
    package var registration = RegistrationState()
    /// The tags that the app has set; `nil` before the app sets any.
    ///
    /// With `nil` the SDK sends no tags, so the service keeps those that were imported with the device.
    package var tags: [String]?

    /// Creates the contents of a new installation.
    ///
    /// - Parameter randomness: the generator of a random text in the ids of receipts, so that no two installations use equal ids.
    package init(using randomness: inout some RandomNumberGenerator) {
        policy = MessagePolicy(receiptPrefix: InstallationIdentity.hexadecimal(byteCount: 8, using: &randomness))
    }
}

/// A dictionary that tracks its changed keys, so that only changed entries are written to files.
///
/// It is encoded like a plain dictionary; the tracked changes are neither encoded nor compared.
package struct TrackedDictionary<Value: Sendable & Hashable & Codable>: Sendable {
    /// The values that were set, and the keys that were removed.
    package struct Change: Sendable, Hashable, Codable {
        var values: [String: Value]
        var removed: [String]

        var isEmpty: Bool { values.isEmpty && removed.isEmpty }
    }

    private(set) var values: [String: Value] = [:]
    private var changedKeys: Set<String> = []

    var count: Int { values.count }
    var hasChanged: Bool { !changedKeys.isEmpty }

    subscript(key: String) -> Value? {
        get { values[key] }
        set {
            guard newValue != values[key] else { return }
            values[key] = newValue
            changedKeys.insert(key)
        }
    }

    package mutating func removeAll() {
        changedKeys.formUnion(values.keys)
        values = [:]
    }

    /// Returns the changes since the last call; `nil` if there are none.
    mutating func takeChange() -> Change? {
        guard !changedKeys.isEmpty else { return nil }
        var change = Change(values: [:], removed: [])
        for key in changedKeys.sorted() {
            if let value = values[key] { change.values[key] = value } else { change.removed.append(key) }
        }
        changedKeys = []
        return change
    }

    /// Applies a change that was read from a file, without tracking it.
    mutating func apply(_ change: Change) {
        values.merge(change.values) { $1 }
        for key in change.removed { values[key] = nil }
    }
}

extension TrackedDictionary: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.values == right.values }
    package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension TrackedDictionary: Codable {
    package init(from decoder: any Decoder) throws { values = try [String: Value](from: decoder) }
    package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
