import CarillonCore

/// A change of ``StoreContents``, saved as one line of the app's journal or as one file of the service extension.
///
/// A change contains the new values, not the events that led to them. So a later version of the SDK, even with other rules, gets
/// an equal result from it.
package struct StoreChange: Sendable, Hashable, Codable {
    var known: TrackedDictionary<KnownMessages.Entry>.Change?
    var tombstones: TrackedDictionary<Tombstones.Tombstone>.Change?
    var receipts: ReceiptQueue.Change?
    var handOvers: TrackedDictionary<HandOvers.Item>.Change?
    var facts: StoreFacts

    /// Takes all unsaved changes of the store's contents; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - contents: the store's current contents; afterwards their changes count as saved.
    ///   - saved: the last saved values of the parts that ``StoreFacts`` contains.
    package init?(of contents: inout StoreContents, since saved: StoreFacts) {
        known = contents.policy.known.takeChange()
        tombstones = contents.policy.tombstones.takeChange()
        receipts = contents.policy.receipts.takeChange()
        handOvers = contents.policy.handOvers.takeChange()
        facts = StoreFacts(contents).changes(since: saved)
        if known == nil, tombstones == nil, receipts == nil, handOvers == nil, facts.isEmpty { return nil }
    }

    /// Appends a later change to this one.
    package mutating func append(_ later: StoreChange) {
        known = Self.joined(known, later.known)
        tombstones = Self.joined(tombstones, later.tombstones)
        handOvers = Self.joined(handOvers, later.handOvers)
        receipts =
            receipts.map { earlier in later.receipts.map { earlier.followed(by: $0) } ?? earlier } ?? later.receipts
        facts.update(by: later.facts)
    }

    /// Returns the change without its oldest entries beyond the SDK's limits.
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
    /// Returns whether there is an unsaved change that must not be lost.
    ///
    /// The service's time, back-offs and the confirmations of receipts may be lost. Without its confirmation a receipt is sent
    /// again, but the service counts it once.
    package func mustBeSaved(since saved: StoreFacts) -> Bool {
        var facts = StoreFacts(self).changes(since: saved)
        facts.time = nil
        facts.backoff = nil
        return policy.known.hasChanged || policy.tombstones.hasChanged || policy.receipts.hasUnsaved
            || policy.handOvers.hasChanged || !facts.isEmpty
    }

    /// Counts all changes as saved.
    package mutating func countAsSaved() {
        let facts = StoreFacts(self)
        _ = StoreChange(of: &self, since: facts)
    }

    /// Applies a change from this process's own journal; later values replace earlier ones.
    mutating func apply(_ change: StoreChange) {
        if let known = change.known { policy.known.apply(known) }
        if let tombstones = change.tombstones { policy.tombstones.apply(tombstones) }
        if let receipts = change.receipts { policy.receipts.apply(receipts) }
        if let handOvers = change.handOvers { policy.handOvers.apply(handOvers) }
        change.facts.apply(to: &self)
    }

    /// Merges a change of another process, or a change that this process made while the files could not be read.
    ///
    /// The result is the union of the store's contents and the change, so neither order nor repetition matters.
    package mutating func join(_ change: StoreChange) {
        if let known = change.known { policy.known.join(known) }
        if let tombstones = change.tombstones { policy.tombstones.join(tombstones) }
        if let receipts = change.receipts { policy.receipts.join(receipts) }
        if let handOvers = change.handOvers { policy.handOvers.join(handOvers) }
        change.facts.join(into: &self)
    }
}

/// The parts of ``StoreContents`` that are saved as a whole when they change; in a ``StoreChange``, unchanged parts are `nil`.
package struct StoreFacts: Sendable, Hashable, Codable {
    var time: ServiceTime?
    package var badge: BadgeState?
    var unnamed: UnidentifiedMessages?
    var signedOutAt: Timestamp?
    var writesReceipts: Bool?
    var backoff: RetryState?
    var droppedCount: Int?
    package var registration: RegistrationState?
    var tags: [String]?

    /// Copies all parts from `contents`.
    package init(_ contents: StoreContents) {
        let policy = contents.policy
        time = policy.time
        badge = policy.badge
        unnamed = policy.unnamed
        signedOutAt = policy.signedOutAt
        writesReceipts = policy.writesReceipts
        backoff = policy.receipts.backoff
        droppedCount = policy.receipts.droppedCount
        registration = contents.registration
        tags = contents.tags
    }

    var isEmpty: Bool {
        time == nil && badge == nil && unnamed == nil && signedOutAt == nil && writesReceipts == nil
            && backoff == nil && droppedCount == nil && registration == nil && tags == nil
    }

    /// Returns the parts that differ from `saved`; the others are `nil`.
    func changes(since saved: StoreFacts) -> StoreFacts {
        var changes = self
        if time == saved.time { changes.time = nil }
        if badge == saved.badge { changes.badge = nil }
        if unnamed == saved.unnamed { changes.unnamed = nil }
        if signedOutAt == saved.signedOutAt { changes.signedOutAt = nil }
        if writesReceipts == saved.writesReceipts { changes.writesReceipts = nil }
        if backoff == saved.backoff { changes.backoff = nil }
        if droppedCount == saved.droppedCount { changes.droppedCount = nil }
        if registration == saved.registration { changes.registration = nil }
        if tags == saved.tags { changes.tags = nil }
        return changes
    }

    /// Replaces the parts that a later change contains.
    mutating func update(by later: StoreFacts) {
        time = later.time ?? time
        badge = later.badge ?? badge
        unnamed = later.unnamed ?? unnamed
        signedOutAt = later.signedOutAt ?? signedOutAt
        writesReceipts = later.writesReceipts ?? writesReceipts
        backoff = later.backoff ?? backoff
        droppedCount = later.droppedCount ?? droppedCount
        registration = later.registration ?? registration
        tags = later.tags ?? tags
    }

    /// Sets the changed parts of `contents`.
    func apply(to contents: inout StoreContents) {
        if let time { contents.policy.time = time }
        if let badge { contents.policy.badge = badge }
        if let unnamed { contents.policy.unnamed = unnamed }
        if let signedOutAt { contents.policy.signedOutAt = signedOutAt }
        if let writesReceipts { contents.policy.writesReceipts = writesReceipts }
        if let backoff { contents.policy.receipts.backoff = backoff }
        if let droppedCount { contents.policy.receipts.droppedCount = droppedCount }
        if let registration { contents.registration = registration }
        if let tags { contents.tags = tags }
    }

    /// Merges the parts that another process has changed, or that this process changed while the files could not be read.
    ///
    /// From the registration, only a sign-in or a sign-out by the person is merged. The rest cannot have changed, because only an
    /// app that can read its files registers.
    package func join(into contents: inout StoreContents) {
        if let time { contents.policy.time.join(time) }
        if let badge { contents.policy.badge.join(badge) }
        if let signedOutAt, contents.policy.signedOutAt.map({ $0 < signedOutAt }) ?? true {
            contents.policy.forgetMessages(signedOutAt: signedOutAt)
            contents.registration.signedOut()
        }
        if let writesReceipts { contents.policy.writesReceipts = writesReceipts }
        if let tags { contents.tags = tags }
        if registration?.wantsUser == true, contents.registration.user == nil { contents.registration.signedIn() }
    }
}
