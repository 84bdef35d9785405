/// API keys as they were looked up a moment ago, so that a backend's calls do not all ask the store.
///
/// A key that was revoked, in this process or by another one, is refused after ``ServiceLimits/apiKeyCacheLife``. Only valid
/// keys are kept: an unknown one is looked up each time, so a new key works at once.
struct APIKeyCache: Sendable {
    private struct Entry {
        var record: APIKeyRecord
        var asked: Duration
    }

    private var entries: [String: Entry] = [:]

    /// The record of the key with that id, as it is known at that uptime of the service's clock; `nil` when it must be
    /// looked up.
    func record(_ id: String, at uptime: Duration) -> APIKeyRecord? {
        guard let entry = entries[id], Self.isFresh(entry, at: uptime) else { return nil }
        return entry.record
    }

    /// Keeps a key that is valid, as the store had it when it was asked.
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
