import CarillonCore

/// A device's token: who holds it, whether it is one at all, and what APNs says about it.
extension StoreTransaction {
    /// Gives a device a token, unless an installation holds it that has not been named with its secret.
    ///
    /// Then the device claims it: a nonce goes to the token, and until the device returns it the holder stays.
    mutating func take(
        _ token: DeviceToken, _ environment: APNsEnvironment, for device: DeviceRecord, former: NewDevice.Former?,
        nonce: String
    ) throws {
        let holder = try holder(of: token, environment, app: device.app.number, otherThan: device.id)
        if let holder, holder.isImported { return try takeOver(holder, token, environment, device) }
        if let holder, holder.state == .active, !Self.opens(former, holder) {
            return try claim(token, environment, for: device, nonce: nonce)
        }
        if let holder { try supersede(holder.id, by: device.id) }
        try hold(token, environment, device)
    }

    /// Gives a device the token that it has claimed.
    mutating func claimToken(for id: String, nonce: String) throws -> RegistrationOutcome {
        let earliest = (now - ServiceLimits.tokenClaimLifetime).millisecondsSince1970
        let row = try row(
            """
            SELECT claim_nonce, claimed_environment FROM devices
            WHERE id = ? AND claimed_token IS NOT NULL AND claim_pushed >= ?
            """, [id, earliest])
        guard let row, let expected = row.text("claim_nonce"), let device = try device(id),
            let token = device.claimedToken, SecretHash.isEqual(SecretHash.of(expected), SecretHash.of(nonce))
        else { return .unknown }
        let environment: APNsEnvironment = try row.choice("claimed_environment")
        let former = try holder(of: token, environment, app: device.app.number, otherThan: id)
        if let former { try supersede(former.id, by: id) }
        try hold(token, environment, device)
        try confirm(id)
        return try outcome(id)
    }

    private func holder(
        of token: DeviceToken, _ environment: APNsEnvironment, app: AppNumber, otherThan device: String
    ) throws -> DeviceRecord? {
        let row = try row(
            "SELECT id FROM devices WHERE token = ? AND app = ? AND environment = ? AND id <> ?",
            [token.hex, app.rawValue, environment.rawValue, device])
        return try row?.text("id").flatMap(self.device)
    }

    private static func opens(_ former: NewDevice.Former?, _ holder: DeviceRecord) -> Bool {
        guard let former else { return false }
        return former.id == holder.id && SecretHash.isEqual(former.secretHash, holder.secretHash)
    }

    /// An imported device becomes part of the installation that registers with its token.
    private mutating func takeOver(
        _ imported: DeviceRecord, _ token: DeviceToken, _ environment: APNsEnvironment, _ device: DeviceRecord
    ) throws {
        try leaveImportedUser(of: device)
        try adopt(imported, into: device.id)
        try hold(token, environment, device, confirmed: imported.state == .active ? imported.confirmed : nil)
    }

    /// Who was said to have one token is not known to have another: it would be enough to know somebody's token to get that
    /// user's pushes with one's own.
    private mutating func leaveImportedUser(of device: DeviceRecord) throws {
        if device.userIsImported, device.token != nil { try signOut(device.id, by: .service) }
    }

    // `confirmed` is when APNs has accepted the token, where that is known of another device that had it.
    private mutating func hold(
        _ token: DeviceToken, _ environment: APNsEnvironment, _ device: DeviceRecord, confirmed: Timestamp? = nil
    ) throws {
        let isSame = device.token == token && device.environment == environment
        if !isSame, confirmed == nil { try leaveImportedUser(of: device) }
        try execute(
            """
            UPDATE devices SET token = ?, environment = ?, token_registered = ?, state = 'active',
                confirmed = CASE WHEN ? = 1 THEN confirmed ELSE ? END, claimed_token = NULL, claimed_environment = NULL,
                claim_nonce = NULL, claim_pushed = NULL
            WHERE id = ?
            """,
            [
                token.hex, environment.rawValue, now.millisecondsSince1970, isSame, confirmed?.millisecondsSince1970,
                device.id,
            ])
        // An installation that is new may have had pushes before it was deleted.
        if device.environment != environment || device.token == nil {
            try moveDeliveries(of: device.id, to: Self.channel(device.app.number.rawValue, environment))
        }
        if confirmed == nil, !isSame || device.confirmed == nil { try queueTokenCheck(device) }
    }

    private func claim(
        _ token: DeviceToken, _ environment: APNsEnvironment, for device: DeviceRecord, nonce: String
    ) throws {
        try execute(
            """
            UPDATE devices SET claimed_token = ?, claimed_environment = ?,
                state = CASE WHEN token IS NULL THEN 'awaiting-token' ELSE state END
            WHERE id = ?
            """, [token.hex, environment.rawValue, device.id])
        guard try mayPushClaim(to: token, app: device.app.number) else { return }
        try execute(
            "UPDATE devices SET claim_nonce = ?, claim_pushed = ? WHERE id = ?",
            [nonce, now.millisecondsSince1970, device.id])
        try queueOwnPush(.tokenClaim, to: device.id, due: try nextCheck(of: device.app.number))
    }

    /// Whoever asks again and again must not fill somebody's phone with pushes: a token gets one nonce a minute.
    private func mayPushClaim(to token: DeviceToken, app: AppNumber) throws -> Bool {
        let recent = (now - ServiceLimits.tokenClaimInterval).millisecondsSince1970
        // What lies in the future was written before the clock was set back.
        try execute(
            "DELETE FROM token_claims WHERE app = ? AND (pushed <= ? OR pushed > ?)",
            [app.rawValue, recent, now.millisecondsSince1970])
        let isNew = try changes(
            "INSERT INTO token_claims (app, token, pushed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [app.rawValue, token.hex, now.millisecondsSince1970])
        return isNew > 0
    }

    // MARK: Made-up tokens

    /// An installation that nobody has seen may be made up: an empty push tells.
    ///
    /// One that waits is enough, whatever token it will be sent to: nobody can make others wait by asking often.
    private func queueTokenCheck(_ device: DeviceRecord) throws {
        guard try !isWaiting(.tokenCheck, device.id) else { return }
        try queueOwnPush(.tokenCheck, to: device.id, due: try nextCheck(of: device.app.number))
    }

    /// When the app's next unknown token may be tried: so many a second, however many come.
    ///
    /// A turn that is further away than any queue is long was given before the clock was set back.
    private func nextCheck(of app: AppNumber) throws -> Timestamp {
        let interval = ServiceLimits.tokenCheckInterval.wholeMilliseconds
        let row = try row(
            """
            UPDATE apps SET next_check = CASE WHEN next_check BETWEEN ? AND ? THEN next_check ELSE ? END + ?
            WHERE number = ? RETURNING next_check
            """,
            [
                now.millisecondsSince1970, (now + ServiceLimits.longestTokenCheckQueue).millisecondsSince1970,
                now.millisecondsSince1970, interval, app.rawValue,
            ])
        return Timestamp(millisecondsSince1970: (row?["next_check"] ?? now.millisecondsSince1970) - interval)
    }

    /// APNs has accepted a push to its token: it is a device, and gets its place among its app's.
    func confirm(_ device: String) throws {
        let unconfirmed = try row(
            "SELECT app, ordinal FROM devices WHERE id = ? AND confirmed IS NULL AND token IS NOT NULL", [device])
        guard let unconfirmed else { return }
        try execute("UPDATE devices SET confirmed = ? WHERE id = ?", [now.millisecondsSince1970, device])
        guard (unconfirmed["ordinal"] as Int64?) == nil else { return }
        let app: Int64 = unconfirmed["app"]
        try execute(
            "UPDATE devices SET ordinal = (SELECT next_ordinal FROM apps WHERE number = ?) WHERE id = ?", [app, device])
        try execute("UPDATE apps SET next_ordinal = next_ordinal + 1 WHERE number = ?", [app])
    }

    // MARK: What APNs says

    /// Retires the token when APNs says that it is no longer valid (410) or does not know it (BadDeviceToken).
    mutating func apply(_ verdict: SendVerdict, _ settlement: Settlement, to device: DeviceRecord) throws {
        guard let rejection = settlement.rejection else { return }
        // What is said of a token that it only claims says nothing about its own.
        guard settlement.purpose != .tokenClaim else { return }
        let why = "the device's token is no longer valid (\(rejection.reason))"
        if case .retireToken(let moment) = verdict {
            // Apple: stop only if the token was not registered again after the timestamp.
            guard device.tokenVouched <= moment else { return }
            try retire(device.id, as: .unregistered, why: why)
        } else if device.confirmed == nil {
            try delete(device.id, why: "APNs does not know the device's token (\(rejection.reason))")
        } else {
            try retire(device.id, as: .quarantined, why: why)
        }
    }

    /// The device's token is another installation's: it has no rights any more.
    ///
    /// What is kept by ordinals is kept of a phone: it goes with the token, so that no broadcast misses it, or comes twice.
    private mutating func supersede(_ device: String, by other: String) throws {
        try passOnOrdinal(of: device, to: other)
        try retire(device, as: .superseded, why: "another installation has registered this device's token")
        try execute(
            "UPDATE devices SET token = NULL, user = NULL, badge = NULL, claimed_token = NULL WHERE id = ?", [device])
    }

    private func passOnOrdinal(of device: String, to other: String) throws {
        let ordinal = try row("SELECT ordinal FROM devices WHERE id = ?", [device])?["ordinal"] as Int64?
        let own = try row("SELECT ordinal FROM devices WHERE id = ?", [other])?["ordinal"] as Int64?
        guard let ordinal, own == nil else { return }
        // It is unique.
        try execute("UPDATE devices SET ordinal = NULL WHERE id = ?", [device])
        try execute("UPDATE devices SET ordinal = ? WHERE id = ?", [ordinal, other])
        for table in [Self.eventsByDevice, Self.removalsByDevice, Self.deliveriesByDevice] {
            try move(table, from: device, to: other, where: "message IN (SELECT message FROM ranges)")
        }
    }

    /// Stops sending to a device until it registers again.
    private mutating func retire(_ device: String, as state: DeviceRecord.State, why: String) throws {
        try execute("UPDATE devices SET state = ? WHERE id = ?", [state.rawValue, device])
        try cancelWaiting(on: device, why: why)
    }
}
