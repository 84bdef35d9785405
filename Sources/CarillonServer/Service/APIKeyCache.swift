/// A cache of API keys, which saves most calls of backends a read of the store.
///
/// The cache holds only valid keys. After any process has revoked a key, the cache still accepts it for at most
/// ``ServiceLimits/apiKeyCacheLife``. An unknown key is looked up in the store each time, so a new key works at once.
struct APIKeyCache: Sendable {
    private struct Entry {
        var record: APIKeyRecord
        var asked: Duration
    }

    private var entries: [String: Entry] = [:]

    /// Returns the cached key with an id; `nil` if the caller must read the key from the store.
    func record(_ id: String, at uptime: Duration) -> APIKeyRecord? {
        guard let entry = entries[id], Self.isFresh(entry, at: uptime) else { return nil }
        return entry.record
    }

    /// Caches a valid key that the store has returned.
    ///
    /// - Parameters:
    ///   - record: the key.
    ///   - asked: the time, on the monotonic clock, at which the read of the store began. The key's time in the cache counts from
    ///     then.
    mutating func keep(_ record: APIKeyRecord, asked: Duration) {
        if entries.count >= ServiceLimits.cachedAPIKeys, entries[record.id] == nil {
            entries = entries.filter { Self.isFresh($0.value, at: asked) }
            if entries.count >= ServiceLimits.cachedAPIKeys { entries.removeAll() }
        }
        entries[record.id] = Entry(record: record, asked: asked)
    }

    private static func isFresh(_ entry: Entry, at uptime: Duration) -> Bool {
        uptime - entry.asked < ServiceLimits.apiKeyCacheLife
    }
}
