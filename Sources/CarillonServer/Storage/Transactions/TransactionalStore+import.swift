import CarillonCore
import Foundation

extension TransactionalStore {
    package func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome] {
        try await write(at: now) { try $0.importDevices(devices) }
    }
}

/// Devices that another provider knew: they have a token and no secret, until an installation registers with that token.
extension StoreTransaction {
    /// Makes an imported device part of an installation that registers with its token: it keeps its place, its tags and
    /// what it was sent.
    mutating func adopt(_ imported: DeviceRecord, into id: String) throws {
        guard let own = try device(id) else { return }
        // Both are unique.
        try execute("UPDATE devices SET token = NULL, ordinal = NULL WHERE id = ?", [imported.id])
        try execute(
            """
            UPDATE events SET device = ? WHERE device = ?
                AND message IN (SELECT message FROM deliveries WHERE device = ? AND message IS NOT NULL)
            """, [id, imported.id, imported.id])
        for table in [Self.deliveriesByDevice, Self.removalsByDevice] { try move(table, from: imported.id, to: id) }
        let hasTags = own.facts.tags?.isEmpty == false
        let tags = hasTags ? own.facts.tags : imported.facts.tags
        try execute(
            """
            UPDATE devices SET ordinal = coalesce(ordinal, ?), user = coalesce(user, ?),
                user_imported = CASE WHEN user IS NULL THEN 1 ELSE 0 END, tags = ?, tags_imported = ? WHERE id = ?
            """, [imported.ordinal, imported.user, try Self.json(tags ?? []), !hasTags && tags?.isEmpty == false, id])
        try writeTags(tags, of: id, own.app)
        try delete(imported.id, why: "an installation has registered this device's token")
    }
}
