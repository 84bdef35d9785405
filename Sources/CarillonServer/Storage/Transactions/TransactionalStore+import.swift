import CarillonCore
import Foundation

extension TransactionalStore {
    package func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome] {
        try await write(at: now) { transaction in try devices.map { try transaction.importDevice($0) } }
    }
}

/// Devices that another provider knew: they have a token and no secret, until an installation registers with that token.
extension StoreTransaction {
    fileprivate func importDevice(_ new: ImportedDevice) throws -> ImportOutcome {
        let known = try row(
            """
            SELECT id, user, \(DeviceFacts.columns.joined(separator: ", ")), length(secret_hash) AS secret
            FROM devices WHERE token = ? AND app = ? AND environment = ?
            """, [new.token.hex, new.app.number.rawValue, new.environment.rawValue])
        guard let known else {
            if let user = new.user, try deviceCount(of: user, new.app) >= ServiceLimits.devicesPerUser {
                return .refused("its user has \(ServiceLimits.devicesPerUser) devices already")
            }
            try add(new)
            return .added
        }
        guard known["secret"] == 0 else { return .kept }
        // What the file says nothing of stays.
        var facts = try DeviceFacts(known)
        let before = facts
        facts.locale = new.facts.locale ?? facts.locale
        facts.timeZone = new.facts.timeZone ?? facts.timeZone
        facts.appVersion = new.facts.appVersion ?? facts.appVersion
        facts.tags = new.facts.tags ?? facts.tags
        let user = new.user ?? known.text("user")
        guard facts != before || user != known.text("user") else { return .unchanged }
        try update(known["id"], user, facts, hasOtherTags: facts.tags != before.tags, of: new.app)
        return .updated
    }

    private func deviceCount(of user: String, _ app: AppReference) throws -> Int {
        try integer("SELECT count(*) FROM devices WHERE app = ? AND user = ?", [app.number.rawValue, user])
    }

    private func add(_ new: ImportedDevice) throws {
        let moment = now.millisecondsSince1970
        let ordinal = try row(
            "UPDATE apps SET next_ordinal = next_ordinal + 1 WHERE number = ? RETURNING next_ordinal - 1 AS ordinal",
            [new.app.number.rawValue])
        try execute(
            """
            INSERT INTO devices (id, app, ordinal, secret_hash, environment, token, token_registered, state, confirmed,
                user, user_imported, seen, \(DeviceFacts.columns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, 1, ?\(String(repeating: ", ?", count: DeviceFacts.columns.count)))
            """,
            [
                new.id, new.app.number.rawValue, ordinal?["ordinal"] as Int64?, Data(), new.environment.rawValue,
                new.token.hex, moment, moment, new.user, moment,
            ] + new.facts.columnValues())
        if new.facts.tags?.isEmpty == false { try writeTags(new.facts.tags, of: new.id, new.app) }
    }

    private func update(
        _ id: String, _ user: String?, _ facts: DeviceFacts, hasOtherTags: Bool, of app: AppReference
    ) throws {
        try execute(
            "UPDATE devices SET user = ?, \(DeviceFacts.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?",
            [user] + facts.columnValues() + [id])
        if hasOtherTags { try writeTags(facts.tags, of: id, app) }
    }

    // MARK: An installation takes over

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
