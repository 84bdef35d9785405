import CarillonCore

/// A cache of API keys; with it, most calls of backends need no read of the store.
///
/// The cache holds only keys that were not revoked. After any process has revoked a key, the cache still accepts it for at most
/// ``ServiceLimits/apiKeyCacheLife``. An unknown key is looked up in the store each time, so a new key works at once.
struct APIKeyCache: Sendable {
    private struct Entry {
        var record: APIKeyRecord
        var asked: Duration
    }

    private var entries: [String: Entry] = [:]
    /// By key id: the time at which the key was last read from the store to check a request; ``takeUses()`` empties the
    /// dictionary.
    ///
    /// A use of a cached key does not change this time, so the key's last use may be up to ``ServiceLimits/apiKeyCacheLife``
    /// later.
    private var uses: [String: Timestamp] = [:]

    /// Returns the cached key with an id; `nil` if the caller must read the key from the store.
    func record(_ id: String, at uptime: Duration) -> APIKeyRecord? {
        guard let entry = entries[id], Self.isFresh(entry, at: uptime) else { return nil }
        return entry.record
    }

    /// Caches a key that the store has returned for a caller, and notes the time of this use of the key.
    ///
    /// - Parameters:
    ///   - record: the key.
    ///   - asked: the time, on the monotonic clock, at which the read of the store began. The key's time in the cache counts from
    ///     then.
    ///   - now: the time of the use.
    mutating func keep(_ record: APIKeyRecord, asked: Duration, at now: Timestamp) {
        uses[record.id] = now
        if entries.count >= ServiceLimits.cachedAPIKeys, entries[record.id] == nil {
            entries = entries.filter { Self.isFresh($0.value, at: asked) }
            if entries.count >= ServiceLimits.cachedAPIKeys { entries.removeAll() }
        }
        entries[record.id] = Entry(record: record, asked: asked)
    }

    /// Returns the times of the keys' last uses since the previous call, by the keys' ids, and forgets them.
    mutating func takeUses() -> [String: Timestamp] {
        defer { uses = [:] }
        return uses
    }

    private static func isFresh(_ entry: Entry, at uptime: Duration) -> Bool {
        uptime - entry.asked < ServiceLimits.apiKeyCacheLife
    }
}
