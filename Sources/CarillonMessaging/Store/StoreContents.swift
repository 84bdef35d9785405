/// The data that the SDK keeps between launches, except the ``InstallationIdentity`` and the inbox.
package struct StoreContents: Sendable {
    package var policy: MessagePolicy
    package var registration = RegistrationState()
    /// The tags that the app has set; `nil` before the app sets any.
    ///
    /// With `nil` the SDK sends no tags, so the service keeps those that were imported with the device.
    package var tags: [String]?
    /// The tokens for the app's Live Activities.
    package var liveActivities = LiveActivityTokens()
    /// The tokens for the app's widgets and controls.
    package var widgets = WidgetTokens()
    /// The receipts of the app's Live Activities.
    package var activityReports = ActivityReports()
    /// The lane of the request for removals, `GET sync`.
    package var sync = FetchLane()
    /// The values that were saved last, of the parts that are saved as a whole, by their names.
    var saved: [String: any StoreValue] = [:]

    /// Creates the contents of a new installation, which count as saved.
    ///
    /// - Parameter randomness: the generator of a random text in the ids of receipts, so that no two installations use equal ids.
    package init(using randomness: inout some RandomNumberGenerator) {
        policy = MessagePolicy(receiptPrefix: InstallationIdentity.hexadecimal(byteCount: 8, using: &randomness))
        _ = takeChange()
    }
}

/// A dictionary that tracks its changed keys, so that only changed entries are written to files.
package struct TrackedDictionary<Value: StoreValue>: Sendable {
    /// The values that were set, and the keys that were removed.
    package struct Change: StoreValue {
        var values: [String: Value]
        var removed: [String] = []
    }

    private(set) var values: [String: Value] = [:]
    private var changedKeys: Set<String> = []

    var count: Int { values.count }

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

    /// Merges the changes of another process, with `joined` where both have an entry.
    mutating func join(_ change: Change, _ joined: (Value, Value) -> Value) {
        for (key, other) in change.values.sorted(by: { $0.key < $1.key }) {
            self[key] = values[key].map { joined($0, other) } ?? other
        }
        for key in change.removed { self[key] = nil }
    }
}

extension TrackedDictionary: TrackedEntries {
    mutating func takeChange() -> Change? {
        guard !changedKeys.isEmpty else { return nil }
        var change = Change(values: [:])
        for key in changedKeys.sorted() {
            if let value = values[key] { change.values[key] = value } else { change.removed.append(key) }
        }
        changedKeys = []
        return change
    }

    var everything: Change { Change(values: values) }

    var mustBeSaved: Bool { !changedKeys.isEmpty }

    mutating func apply(_ change: Change) {
        values.merge(change.values) { $1 }
        for key in change.removed { values[key] = nil }
    }
}

extension TrackedDictionary: Hashable {
    /// Compares two dictionaries, and ignores which of their entries are saved.
    package static func == (left: Self, right: Self) -> Bool { left.values == right.values }
    package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
