import CarillonCore

/// A value in a ``StoreChange``.
package typealias StoreValue = Codable & Hashable & Sendable

/// One value that the SDK keeps between launches: its name in the files, its place, and how another process's copy is joined.
///
/// A new value needs one line in ``StoreParts/all``.
protocol StorePart: Sendable {
    associatedtype Change: StoreValue
    /// The key of the value in a ``StoreChange``.
    var name: String { get }
    /// Returns the change since the last save, and counts it as saved; `nil` if there is none.
    func takeChange(of contents: inout StoreContents) -> Change?
    /// Returns the whole value as a change.
    func everything(in contents: StoreContents) -> Change
    /// Returns whether there is an unsaved change that must not be lost.
    func mustBeSaved(_ contents: StoreContents) -> Bool
    /// Applies a saved change of this process; later values replace earlier ones.
    func apply(_ change: Change, to contents: inout StoreContents)
    /// Merges a change of another process.
    func join(_ change: Change, into contents: inout StoreContents)
    func isEqual(_ one: StoreContents, _ other: StoreContents) -> Bool
}

enum StoreParts {
    /// All values that the SDK keeps, in the order in which they are joined.
    static let all: [any StorePart] = [
        EntriesPart(name: "known", path: \.policy.known.entries) { contents, change in
            contents.policy.known.entries.join(change) { $0.joined($1) }
            contents.policy.known.forgetOldest()
        },
        EntriesPart(name: "tombstones", path: \.policy.tombstones.stones) { contents, change in
            contents.policy.tombstones.stones.join(change) { $0.joined($1) }
            contents.policy.tombstones.keepToLimit()
        },
        EntriesPart(name: "receipts", path: \.policy.receipts) { $0.policy.receipts.join($1) },
        EntriesPart(name: "handOvers", path: \.policy.handOvers.items) { $0.policy.handOvers.items.join($1) { $1 } },
        // Without its confirmation a receipt is sent again, and the service counts it once.
        WholePart(name: "receiptBackoff", path: \.policy.receipts.backoff, mayBeLost: true) {
            $0.policy.receipts.backoff.join($1)
        },
        WholePart(name: "receiptPrefix", path: \.policy.receipts.prefix),
        WholePart(name: "droppedReceipts", path: \.policy.receipts.droppedCount),
        WholePart(name: "time", path: \.policy.time, mayBeLost: true) { $0.policy.time.join($1) },
        WholePart(name: "badge", path: \.policy.badge) { $0.policy.badge.join($1) },
        WholePart(name: "unnamed", path: \.policy.unnamed),
        WholePart(name: "signedOutAt", path: \.policy.signedOutAt) { contents, other in
            guard let other, contents.policy.signedOutAt.map({ $0 < other }) ?? true else { return }
            contents.policy.forgetMessages(signedOutAt: other)
            contents.registration.signedOut()
        },
        WholePart(name: "writesReceipts", path: \.policy.writesReceipts) { $0.policy.writesReceipts = $1 },
        // Only an app that can read its files registers, so nothing but a sign-in by the person can be new.
        WholePart(name: "registration", path: \.registration) { contents, other in
            if other.wantsUser, contents.registration.user == nil { contents.registration.signedIn() }
        },
        WholePart(name: "tags", path: \.tags) { $0.tags = $1 },
        // Only the app observes its Live Activities, and after its launch it knows which are left.
        WholePart(name: "liveActivities", path: \.liveActivities),
        WholePart(name: "activityReports", path: \.activityReports),
        // The widget extension hears of tokens while the app does not run; the app reads them anew at its launch.
        WholePart(name: "widgets", path: \.widgets) { $0.widgets = $1 },
        WholePart(name: "sync", path: \.sync, mayBeLost: true) { $0.sync.backoff.join($1.backoff) },
    ]
}

/// A part that is saved as a whole when it has changed.
private struct WholePart<Value: StoreValue>: StorePart {
    let name: String
    let path: any WritableKeyPath<StoreContents, Value> & Sendable
    /// Whether a change alone is no reason to save.
    var mayBeLost = false
    /// Merges another process's copy; the default ignores that copy.
    var joining: @Sendable (inout StoreContents, Value) -> Void = { _, _ in }

    func takeChange(of contents: inout StoreContents) -> Value? {
        guard hasChanged(contents) else { return nil }
        contents.saved[name] = contents[keyPath: path]
        return contents[keyPath: path]
    }

    func everything(in contents: StoreContents) -> Value { contents[keyPath: path] }

    func mustBeSaved(_ contents: StoreContents) -> Bool { !mayBeLost && hasChanged(contents) }

    func apply(_ change: Value, to contents: inout StoreContents) {
        contents[keyPath: path] = change
        contents.saved[name] = change
    }

    func join(_ change: Value, into contents: inout StoreContents) { joining(&contents, change) }

    func isEqual(_ one: StoreContents, _ other: StoreContents) -> Bool { one[keyPath: path] == other[keyPath: path] }

    private func hasChanged(_ contents: StoreContents) -> Bool {
        contents[keyPath: path] != contents.saved[name].flatMap { $0 as? Value }
    }
}

/// A part with many entries; only the changed ones are saved.
private struct EntriesPart<Entries: TrackedEntries>: StorePart {
    let name: String
    let path: any WritableKeyPath<StoreContents, Entries> & Sendable
    /// Merges the changed entries of another process.
    let joining: @Sendable (inout StoreContents, Entries.Change) -> Void

    func takeChange(of contents: inout StoreContents) -> Entries.Change? { contents[keyPath: path].takeChange() }
    func everything(in contents: StoreContents) -> Entries.Change { contents[keyPath: path].everything }
    func mustBeSaved(_ contents: StoreContents) -> Bool { contents[keyPath: path].mustBeSaved }
    func apply(_ change: Entries.Change, to contents: inout StoreContents) { contents[keyPath: path].apply(change) }
    func join(_ change: Entries.Change, into contents: inout StoreContents) { joining(&contents, change) }
    func isEqual(_ one: StoreContents, _ other: StoreContents) -> Bool { one[keyPath: path] == other[keyPath: path] }
}

/// Entries that know which of them have changed since they were last saved.
protocol TrackedEntries: Equatable {
    associatedtype Change: StoreValue
    /// Returns the change since the last call, and counts it as saved; `nil` if there is none.
    mutating func takeChange() -> Change?
    /// All entries as a change.
    var everything: Change { get }
    /// Whether there is an unsaved change that must not be lost.
    var mustBeSaved: Bool { get }
    /// Applies a saved change, without tracking it.
    mutating func apply(_ change: Change)
}

/// A change of ``StoreContents``, saved as one line of the app's journal, as one file of the service extension, or, with all
/// parts, as a snapshot.
///
/// A change contains the new values, not the events that led to them. So a later version of the SDK, even with other rules, gets
/// an equal result from it.
package struct StoreChange: Sendable, Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The changes of the parts, by the names of the parts.
    private var values: [String: any StoreValue] = [:]

    /// Collects the change of each part.
    fileprivate init(_ change: (any StorePart) -> (any StoreValue)?) {
        for part in StoreParts.all { values[part.name] = change(part) }
    }

    /// Decodes the parts that this version of the SDK knows.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        func value<Part: StorePart>(_ part: Part) throws -> Part.Change? {
            let name = Name(stringValue: part.name)
            return container.contains(name) ? try container.decode(Part.Change.self, forKey: name) : nil
        }
        for part in StoreParts.all { values[part.name] = try value(part) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in values { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    var isEmpty: Bool { values.isEmpty }

    private var hashable: [String: AnyHashable] { values.mapValues { AnyHashable($0) } }

    fileprivate func value<Part: StorePart>(of part: Part) -> Part.Change? {
        // Without the closure, a missing value would be cast to a value that is `nil`.
        values[part.name].flatMap { $0 as? Part.Change }
    }
}

extension StoreChange: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.hashable == other.hashable }
    package func hash(into hasher: inout Hasher) { hasher.combine(hashable) }
}

extension StoreContents {
    /// Takes all unsaved changes, which then count as saved; `nil` if there are none.
    package mutating func takeChange() -> StoreChange? {
        let change = StoreChange { $0.takeChange(of: &self) }
        return change.isEmpty ? nil : change
    }

    /// All parts as a change, for a snapshot.
    package var everything: StoreChange { StoreChange { $0.everything(in: self) } }

    /// Whether there is an unsaved change that must not be lost.
    ///
    /// The service's time, back-offs and the confirmations of receipts may be lost.
    package var mustBeSaved: Bool { StoreParts.all.contains { $0.mustBeSaved(self) } }

    /// Applies a change from this process's own files; later values replace earlier ones.
    package mutating func apply(_ change: StoreChange) {
        func apply(_ part: some StorePart) {
            if let value = change.value(of: part) { part.apply(value, to: &self) }
        }
        for part in StoreParts.all { apply(part) }
    }

    /// Merges a change of another process, or a change that this process made while the files could not be read.
    ///
    /// The result is the union of the store's contents and the change, so neither order nor repetition matters.
    package mutating func join(_ change: StoreChange) {
        func join(_ part: some StorePart) {
            if let value = change.value(of: part) { part.join(value, into: &self) }
        }
        for part in StoreParts.all { join(part) }
    }
}

extension StoreContents: Equatable {
    /// Compares all parts, and ignores which changes are saved.
    package static func == (one: Self, other: Self) -> Bool { StoreParts.all.allSatisfy { $0.isEqual(one, other) } }
}
