import CarillonCore

/// The records of removed messages: a message with such a record, a tombstone, must not be shown (again) if it arrives later.
///
/// A tombstone lasts until APNs can no longer deliver the message, at most ``AppLimits/tombstoneLifetime``. It stops one version
/// of a message (its revision) and all older versions. A later version counts as a new message.
package struct Tombstones: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the store's files.

    package struct Tombstone: Sendable, Hashable, Codable {
        /// The last moment at which the tombstone counts, by the service's clock.
        var end: Timestamp
        package var revision: Int
        package var reason: Removal.Reason?
    }

    /// The tombstones by ``PushMessage/removalName``.
    private var stones = TrackedDictionary<Tombstone>()

    package init() {}

    package var count: Int { stones.count }

    /// Adds the record of a message's removal (a tombstone), or extends an existing one.
    ///
    /// - Parameters:
    ///   - name: the message's ``PushMessage/removalName``.
    ///   - revision: the newest revision of the message that must no longer be shown. The default is 1.
    ///   - reason: the service's reason for the removal; `nil` if the person has read the message on this phone.
    ///   - until: the message's APNs expiration, if it is known; at most ``AppLimits/tombstoneLifetime`` from now.
    ///   - serviceNow: the service's time.
    mutating func set(
        _ name: String, revision: Int = 1, reason: Removal.Reason? = .recall, until: Timestamp? = nil,
        at serviceNow: Timestamp
    ) {
        let latest = serviceNow + AppLimits.tombstoneLifetime
        let end = max(stones[name]?.end ?? serviceNow, min(until ?? latest, latest))
        stones[name] = Tombstone(
            end: end, revision: max(revision, stones[name]?.revision ?? revision), reason: reason)
        prune(at: serviceNow)
    }

    /// Returns whether this revision of a message must not be shown, because its removal is recorded.
    package func contains(_ name: String, revision: Int = 1, at serviceNow: Timestamp) -> Bool {
        guard let tombstone = stones[name] else { return false }
        return serviceNow <= tombstone.end && revision <= tombstone.revision
    }

    /// Returns the service's reason for a removal; `nil` if the message was not removed, or if the person read it on this phone.
    package func reason(_ name: String) -> Removal.Reason? { stones[name]?.reason }

    /// Removes the record of a message's removal.
    ///
    /// Call it for a message that another push provider sent, because that provider may use the id again for its next message.
    ///
    /// - Parameter name: the message's ``PushMessage/removalName``.
    package mutating func remove(_ name: String) { stones[name] = nil }

    private mutating func prune(at serviceNow: Timestamp) {
        for (name, tombstone) in stones.values where serviceNow > tombstone.end { stones[name] = nil }
        keepToLimit()
    }

    private mutating func keepToLimit() {
        while stones.count > AppLimits.tombstones,
            let first = stones.values.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })
        {
            stones[first.key] = nil
        }
    }

    // MARK: The store

    var hasChanged: Bool { stones.hasChanged }

    /// Returns the tombstones that have changed since the last call, and counts them as saved; see
    /// ``TrackedDictionary/takeChange()``.
    mutating func takeChange() -> TrackedDictionary<Tombstone>.Change? { stones.takeChange() }

    /// Applies a saved change to the tombstones.
    mutating func apply(_ change: TrackedDictionary<Tombstone>.Change) { stones.apply(change) }

    /// Merges the changes of another process; see ``StoreContents/join(_:)``.
    package mutating func join(_ change: TrackedDictionary<Tombstone>.Change) {
        for (name, other) in change.values.sorted(by: { $0.key < $1.key }) {
            var joined = stones[name] ?? other
            joined.end = max(joined.end, other.end)
            joined.revision = max(joined.revision, other.revision)
            joined.reason = joined.reason ?? other.reason
            stones[name] = joined
        }
        for name in change.removed { stones[name] = nil }
        keepToLimit()
    }
}
