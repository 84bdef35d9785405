extension KnownMessages {
    var hasChanged: Bool { entries.hasChanged }

    /// What is to be saved; see ``TrackedDictionary/takeChange()``.
    mutating func takeChange() -> TrackedDictionary<Entry>.Change? { entries.takeChange() }

    /// Repeats a change that was saved.
    mutating func apply(_ change: TrackedDictionary<Entry>.Change) { entries.apply(change) }

    /// Joins what another process knows; see ``StoreContents/join(_:)``.
    package mutating func join(_ change: TrackedDictionary<Entry>.Change) {
        for (identifier, entry) in change.values.sorted(by: { $0.key < $1.key }) {
            entries[identifier] = entries[identifier]?.joined(entry) ?? entry
        }
        for identifier in change.removed { entries[identifier] = nil }
        forgetOldest()
    }
}

extension KnownMessages.Entry {
    /// What either knows; only the newer revision counts.
    fileprivate func joined(_ other: Self) -> Self {
        guard revision == other.revision else { return revision > other.revision ? self : other }
        var joined = self
        joined.messageID = messageID ?? other.messageID
        joined.firstSeen = min(firstSeen, other.firstSeen)
        joined.until = [until, other.until].compactMap(\.self).max()
        joined.mayHaveAlerted = mayHaveAlerted || other.mayHaveAlerted
        joined.shownByAttempt = [shownByAttempt, other.shownByAttempt].compactMap(\.self).min()
        joined.delivered = [delivered, other.delivered].compactMap(\.self).max()
        joined.quietAttempt = [quietAttempt, other.quietAttempt].compactMap(\.self).max()
        joined.wasPresented = wasPresented || other.wasPresented
        joined.claimed = claimed.union(other.claimed)
        joined.reachedApp = reachedApp || other.reachedApp
        return joined
    }
}
