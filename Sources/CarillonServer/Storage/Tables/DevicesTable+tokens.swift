import CarillonAPNs
import CarillonCore

/// Reads and writes a device's state, its ordinal (running number in the app), its token, and its claim to a token that another
/// device holds.
extension DevicesTable {
    func holder(
        of token: DeviceToken, _ environment: APNsEnvironment, app: AppNumber, otherThan device: String
    ) throws -> DeviceRecord? {
        try row(Self.holder(of: token, environment, app: app, otherThan: device))?.text("id").flatMap(self.device)
    }

    /// Returns the query of ``holder(of:_:app:otherThan:)``.
    static func holder(
        of token: DeviceToken, _ environment: APNsEnvironment, app: AppNumber, otherThan device: String
    ) -> SQLStatement {
        SQLStatement(
            sql: "SELECT id FROM devices WHERE token = ? AND app = ? AND environment = ? AND id <> ?",
            arguments: [token.hex, app.rawValue, environment.rawValue, device])
    }

    /// Registers a device's token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - environment: the APNs environment in which the token is valid.
    ///   - device: the device that gets the token.
    ///   - isSame: whether the device already had this token in this environment. If so, ``DeviceRecord/confirmed`` does not
    ///     change.
    ///   - confirmed: the new ``DeviceRecord/confirmed``, taken from an imported device that had the token before; `nil` if the
    ///     token is not confirmed.
    /// - Throws: the errors of the database.
    func hold(
        _ token: DeviceToken, _ environment: APNsEnvironment, by device: String, isSame: Bool, confirmed: Timestamp?
    ) throws {
        try execute(
            """
            UPDATE devices SET token = ?, environment = ?, token_registered = ?, state = 'active', retired = NULL,
                retired_for = NULL, confirmed = CASE WHEN ? = 1 THEN confirmed ELSE ? END, claimed_token = NULL, claimed_environment = NULL,
                claim_nonce = NULL, claim_pushed = NULL
            WHERE id = ?
            """,
            [
                token.hex, environment.rawValue, now.millisecondsSince1970, isSame, confirmed?.millisecondsSince1970,
                device,
            ])
    }

    // MARK: Claims

    /// Stores a device's claim to a token that another device holds; the claim lasts until the device proves that it receives the
    /// token's pushes.
    func claim(_ token: DeviceToken, _ environment: APNsEnvironment, for device: String) throws {
        try execute(
            """
            UPDATE devices SET claimed_token = ?, claimed_environment = ?,
                state = CASE WHEN token IS NULL THEN 'awaiting-token' ELSE state END,
                retired = CASE WHEN token IS NULL THEN coalesce(retired, ?) ELSE retired END
            WHERE id = ?
            """, [token.hex, environment.rawValue, now.millisecondsSince1970, device])
    }

    /// Stores the nonce that the service pushes to a token; by returning it, the device proves its claim to this token.
    func noteClaimPush(_ nonce: String, of device: String) throws {
        try execute(
            "UPDATE devices SET claim_nonce = ?, claim_pushed = ? WHERE id = ?",
            [nonce, now.millisecondsSince1970, device])
    }

    /// Returns the nonce that a device must return to prove its claim to a token, with the token's APNs environment.
    ///
    /// Another device holds the token. The result is `nil` if the device claims no token, or if the nonce is no longer valid
    /// (``StoreLimits/tokenClaimLifetime``).
    func openClaim(of device: String) throws -> (nonce: String, environment: APNsEnvironment)? {
        let earliest = (now - StoreLimits.tokenClaimLifetime).millisecondsSince1970
        let row = try row(
            """
            SELECT claim_nonce, claimed_environment FROM devices
            WHERE id = ? AND claimed_token IS NOT NULL AND claim_pushed >= ?
            """, [device, earliest])
        guard let row, let nonce = row.text("claim_nonce") else { return nil }
        return (nonce, try row.choice("claimed_environment"))
    }

    /// Returns whether the service may push a nonce to a token now, and if so, records the push.
    ///
    /// A token gets at most one nonce in each ``StoreLimits/tokenClaimInterval``. So other installations cannot flood a phone
    /// with pushes by registering its token again and again.
    func mayPushClaim(to token: DeviceToken, app: AppNumber) throws -> Bool {
        let recent = (now - StoreLimits.tokenClaimInterval).millisecondsSince1970
        // A time in the future was stored before the clock was set back.
        try execute(
            "DELETE FROM token_claims WHERE app = ? AND (pushed <= ? OR pushed > ?)",
            [app.rawValue, recent, now.millisecondsSince1970])
        let isNew = try changes(
            "INSERT INTO token_claims (app, token, pushed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [app.rawValue, token.hex, now.millisecondsSince1970])
        return isNew > 0
    }

    /// Returns the ids of at most `limit` devices that have no token of their own and can no longer prove a claim to another's.
    ///
    /// The nonce that was pushed for such a device is no longer valid (``StoreLimits/tokenClaimLifetime``), or none was pushed. A
    /// phone whose installation is deleted registers again, and gets a new nonce.
    func unproven(limit: Int) throws -> [String] {
        try rows("SELECT id FROM devices WHERE \(Self.isUnproven) ORDER BY retired LIMIT ?", unprovenSince + [limit])
            .map { try $0["id"] }
    }

    /// Returns whether a device has no token of its own and can no longer prove a claim to another's.
    func isUnproven(_ device: String) throws -> Bool {
        try integer("SELECT count(*) FROM devices WHERE id = ? AND \(Self.isUnproven)", [device] + unprovenSince) > 0
    }

    private static let isUnproven =
        """
        retired < ? AND state = 'awaiting-token' AND token IS NULL AND claimed_token IS NOT NULL
            AND (claim_pushed IS NULL OR claim_pushed < ? OR claim_pushed > ?)
        """

    private var unprovenSince: SQLArguments {
        let earliest = (now - StoreLimits.tokenClaimLifetime).millisecondsSince1970
        return [earliest, earliest, now.millisecondsSince1970]
    }

    /// Deletes the times at which nonces were pushed to an app's tokens, at most `limit`, and returns their number.
    func deleteClaims(of app: AppNumber, limit: Int) throws -> Int {
        try changes(
            """
            DELETE FROM token_claims WHERE app = ? AND token IN (SELECT token FROM token_claims WHERE app = ? LIMIT ?)
            """, [app.rawValue, app.rawValue, limit])
    }

    // MARK: Confirmation and state

    /// Confirms a device, because APNs has accepted a push to its token.
    ///
    /// The device gets the app's next ordinal (running number in the app) if it has none.
    func confirm(_ device: String) throws {
        let unconfirmed = try row(
            "SELECT app, ordinal FROM devices WHERE id = ? AND confirmed IS NULL AND token IS NOT NULL", [device])
        guard let unconfirmed else { return }
        try execute("UPDATE devices SET confirmed = ? WHERE id = ?", [now.millisecondsSince1970, device])
        guard (unconfirmed["ordinal"] as Int64?) == nil else { return }
        let app: Int64 = try unconfirmed["app"]
        try execute(
            "UPDATE devices SET ordinal = (SELECT next_ordinal FROM apps WHERE number = ?) WHERE id = ?", [app, device])
        try AppsTable(session).noteOrdinalTaken(of: app)
    }

    /// Stores that nothing more can be sent to a device.
    ///
    /// If the device was already in another such state, it keeps the time at which that state began.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - state: the new state.
    ///   - reason: APNs' reason; `nil` if APNs has not rejected the token.
    /// - Throws: the errors of the database.
    func retire(_ device: String, as state: DeviceRecord.State, reason: String?) throws {
        try execute(
            "UPDATE devices SET state = ?, retired = coalesce(retired, ?), retired_for = ? WHERE id = ?",
            [state.rawValue, now.millisecondsSince1970, reason, device])
    }

    /// Returns the ids of at most `limit` devices that have been out of use for the whole retention period, in the order of their
    /// retirement.
    ///
    /// A device is retired if no push can be sent to it any more. The function finds a device if it was retired, and made its
    /// last request, before ``StoreSession/now``.
    ///
    /// Here this is not the present: the caller sets it to the time at which the retention period began.
    func forgotten(limit: Int) throws -> [String] {
        try rows(
            "SELECT id FROM devices WHERE retired < ? AND seen < ? ORDER BY retired LIMIT ?",
            [now.millisecondsSince1970, now.millisecondsSince1970, limit]
        ).map { try $0["id"] }
    }

    /// Returns the ids of an app's devices that are quarantined because APNs rejected their tokens.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - reason: APNs' reason for the rejection; `nil` for any.
    ///   - moment: the earliest time of the rejection; `nil` for any.
    /// - Returns: the ids, in ascending order.
    /// - Throws: the errors of the database.
    func quarantined(of app: AppNumber, reason: String?, since moment: Timestamp?) throws -> [String] {
        try rows(
            """
            SELECT id FROM devices WHERE retired >= ? AND app = ? AND state = ? AND token IS NOT NULL
                AND (CAST(? AS TEXT) IS NULL OR retired_for = ?)
            ORDER BY id
            """,
            [
                moment?.millisecondsSince1970 ?? 0, app.rawValue, DeviceRecord.State.quarantined.rawValue, reason,
                reason,
            ]
        ).map { try $0["id"] }
    }

    /// Makes quarantined devices active again.
    ///
    /// A device is quarantined, and gets no pushes, if APNs has rejected its token as unknown. The function ignores given devices
    /// that are not quarantined any more.
    ///
    /// - Returns: the number of devices that the function has made active.
    func release(_ devices: [String]) throws -> Int {
        try devices.reduce(0) { count, device in
            try count
                + changes(
                    "UPDATE devices SET state = 'active', retired = NULL, retired_for = NULL WHERE id = ? AND state = ?",
                    [device, DeviceRecord.State.quarantined.rawValue])
        }
    }

    /// Takes the token and the user from a device, because the token now belongs to another installation.
    func dispossess(_ device: String) throws {
        try execute(
            "UPDATE devices SET token = NULL, user = NULL, badge = NULL, claimed_token = NULL WHERE id = ?", [device])
    }

    /// Moves a device's ordinal (running number in the app) to another device, if the other device has no ordinal.
    ///
    /// - Returns: whether the ordinal was moved. It is not if the device has no ordinal, or if the other device already has one.
    func passOnOrdinal(of device: String, to other: String) throws -> Bool {
        let ordinal = try row("SELECT ordinal FROM devices WHERE id = ?", [device])?["ordinal"] as Int64?
        let own = try row("SELECT ordinal FROM devices WHERE id = ?", [other])?["ordinal"] as Int64?
        guard let ordinal, own == nil else { return false }
        // Takes the ordinal from the first device before the other gets it, because ordinals are unique.
        try execute("UPDATE devices SET ordinal = NULL WHERE id = ?", [device])
        try execute("UPDATE devices SET ordinal = ? WHERE id = ?", [ordinal, other])
        return true
    }

    /// Takes the token and the ordinal (running number in the app) from an imported device, so that an installation can get them.
    func release(imported device: String) throws {
        try execute("UPDATE devices SET token = NULL, ordinal = NULL WHERE id = ?", [device])
    }

    /// Gives an installation the tags that are passed, and the ordinal and the user of an imported device.
    ///
    /// An ordinal is a device's running number in the app. An installation that already has an ordinal or a user keeps its own.
    func adopt(_ imported: DeviceRecord, tags: [String]?, tagsAreImported: Bool, into device: String) throws {
        try execute(
            """
            UPDATE devices SET ordinal = coalesce(ordinal, ?), user = coalesce(user, ?),
                user_imported = CASE WHEN user IS NULL THEN 1 ELSE 0 END, tags = ?, tags_imported = ? WHERE id = ?
            """, [imported.ordinal, imported.user, try Self.json(tags ?? []), tagsAreImported, device])
    }
}
