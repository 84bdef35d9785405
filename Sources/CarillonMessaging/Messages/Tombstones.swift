import CarillonCore

/// The records of removed messages: a message with such a record, a tombstone, must not be shown (again) if it arrives later.
///
/// A tombstone lasts until APNs can no longer deliver the message, at most ``AppLimits/tombstoneLifetime``. It stops one version
/// of a message (its revision) and all older versions. A later version counts as a new message.
package struct Tombstones: Sendable, Hashable {
    package struct Tombstone: StoreValue {
        // The names of the stored properties are keys of the store's files.

        /// The last moment at which the tombstone counts, by the service's clock.
        var end: Timestamp
        package var revision: Int
        package var reason: Removal.Reason?

        /// Returns one tombstone that stops whatever one of two stops.
        func joined(_ other: Tombstone) -> Tombstone {
            Tombstone(
                end: max(end, other.end), revision: max(revision, other.revision), reason: reason ?? other.reason)
        }
    }

    /// The tombstones by ``PushMessage/removalName``.
    var stones = TrackedDictionary<Tombstone>()

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

    /// Returns the removals by the service that are recorded here and not in `earlier`.
    func removals(since earlier: Tombstones) -> [PushRemoval] {
        stones.values.sorted { $0.key < $1.key }.compactMap { name, stone in
            guard let reason = stone.reason, stone.revision > earlier.stones[name]?.revision ?? 0 else { return nil }
            return PushRemoval(
                identifier: name, messageID: try? MessageID(name), revision: stone.revision, reason: reason)
        }
    }

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

    mutating func keepToLimit() {
        while stones.count > AppLimits.tombstones,
            let first = stones.values.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })
        {
            stones[first.key] = nil
        }
    }
}
