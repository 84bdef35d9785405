import CarillonCore

/// What has changed in ``StoreContents``: one line of the app's journal, or one file of the service extension's.
///
/// It says what is now, not what has happened, so that a later version of the SDK reads it in the same way.
package struct StoreChange: Sendable, Hashable, Codable {
    var known: TrackedDictionary<KnownMessages.Entry>.Change?
    var tombstones: TrackedDictionary<Tombstones.Tombstone>.Change?
    var receipts: ReceiptQueue.Change?
    var facts: StoreFacts

    /// Takes what has changed; `nil` when nothing has.
    ///
    /// - Parameters:
    ///   - contents: as they are now; afterwards nothing in them counts as changed.
    ///   - saved: the facts as they were saved last.
    package init?(of contents: inout StoreContents, since saved: StoreFacts) {
        known = contents.policy.known.takeChange()
        tombstones = contents.policy.tombstones.takeChange()
        receipts = contents.policy.receipts.takeChange()
        facts = StoreFacts(contents).changes(since: saved)
        if known == nil, tombstones == nil, receipts == nil, facts.isEmpty { return nil }
    }

    /// Adds a change that has come after this one.
    package mutating func append(_ later: StoreChange) {
        known = Self.joined(known, later.known)
        tombstones = Self.joined(tombstones, later.tombstones)
        receipts =
            receipts.map { earlier in later.receipts.map { earlier.followed(by: $0) } ?? earlier } ?? later.receipts
        facts.update(by: later.facts)
    }

    /// Without the oldest, should there be more than the SDK remembers anyway.
    package func bounded() -> StoreChange {
        var bounded = self
        let newest = known?.values.sorted { ($0.value.firstSeen, $0.key) > ($1.value.firstSeen, $1.key) }
        bounded.known?.values = Dictionary(
            uniqueKeysWithValues: newest?.prefix(AppLimits.knownMessages).map { ($0.key, $0.value) } ?? [])
        bounded.known?.removed = known?.removed.suffix(AppLimits.knownMessages) ?? []
        bounded.receipts?.added = receipts?.added.suffix(AppLimits.pendingReceipts) ?? []
        bounded.receipts?.removed = receipts?.removed.suffix(AppLimits.pendingReceipts) ?? []
        let latest = tombstones?.values.sorted { ($0.value.end, $0.key) > ($1.value.end, $1.key) }
        bounded.tombstones?.values = Dictionary(
            uniqueKeysWithValues: latest?.prefix(AppLimits.tombstones).map { ($0.key, $0.value) } ?? [])
        bounded.tombstones?.removed = tombstones?.removed.suffix(AppLimits.tombstones) ?? []
        return bounded
    }

    private static func joined<Value>(
        _ earlier: TrackedDictionary<Value>.Change?, _ later: TrackedDictionary<Value>.Change?
    ) -> TrackedDictionary<Value>.Change? {
        guard var result = earlier, let later else { return earlier ?? later }
        result.values.merge(later.values) { $1 }
        for key in later.removed { result.values[key] = nil }
        result.removed = Set(result.removed).union(later.removed).subtracting(later.values.keys).sorted()
        return result
    }
}

extension StoreContents {
    /// Whether something has changed that would be missed.
    ///
    /// What would not: which receipts the service has confirmed, since the same id counts once, its clock, and back-offs.
    package func mustBeSaved(since saved: StoreFacts) -> Bool {
        var facts = StoreFacts(self).changes(since: saved)
        facts.time = nil
        facts.backoff = nil
        return policy.known.hasChanged || policy.tombstones.hasChanged || policy.receipts.hasUnsaved || !facts.isEmpty
    }

    /// Lets nothing count as changed.
    package mutating func countAsSaved() {
        let facts = StoreFacts(self)
        _ = StoreChange(of: &self, since: facts)
    }

    /// Repeats a change of this process's own, read from its journal: the later one counts.
    mutating func apply(_ change: StoreChange) {
        if let known = change.known { policy.known.apply(known) }
        if let tombstones = change.tombstones { policy.tombstones.apply(tombstones) }
        if let receipts = change.receipts { policy.receipts.apply(receipts) }
        change.facts.apply(to: &self)
    }

    /// Joins what another process has learnt meanwhile, or this one while the files could not be read.
    ///
    /// What either knows is known. So the order does not matter, nor how often the same is joined.
    package mutating func join(_ change: StoreChange) {
        if let known = change.known { policy.known.join(known) }
        if let tombstones = change.tombstones { policy.tombstones.join(tombstones) }
        if let receipts = change.receipts { policy.receipts.join(receipts) }
        change.facts.join(into: &self)
    }
}
