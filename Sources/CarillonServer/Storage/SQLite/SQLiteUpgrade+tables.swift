/// How each table's rows are copied when everything is given to an app.
extension SQLiteUpgrade {
    /// The statement that copies the rows of `old` in a range of its keys.
    static func copying(_ table: String, _ range: String) -> String {
        switch table {
        case "devices": devices(range)
        case "messages": messages(range)
        case "idempotency": idempotency(range)
        case "inbox": inbox(range)
        case "deliveries": deliveries(range)
        case "removals": removals(range)
        default: events(range)
        }
    }

    /// A device to which APNs has accepted a push is confirmed; the others are tried once the upgrade is done.
    private static func devices(_ range: String) -> String {
        """
        INSERT INTO new_devices (number, id, app, ordinal, secret_hash, environment, token, token_registered, state,
            confirmed, user, permission, locale, time_zone, app_version, tags, seen, push_revision,
            silent_unanswered, badge)
        SELECT number, id, app,
            CASE WHEN confirmed IS NULL THEN NULL ELSE
                (SELECT coalesce(max(known.ordinal), 0) FROM new_devices AS known
                    WHERE known.app = copied.app AND known.ordinal IS NOT NULL)
                + row_number() OVER (PARTITION BY app, confirmed IS NULL ORDER BY number) END,
            secret_hash, environment, token, token_registered, state, confirmed,
            CASE WHEN state = 'superseded' THEN NULL ELSE user END, permission, locale, time_zone, app_version, tags,
            seen, push_revision, silent_unanswered, badge
        FROM (SELECT old.*, old.rowid AS number, apps.number AS app,
                CASE WHEN EXISTS (SELECT 1 FROM deliveries
                    WHERE deliveries.device = old.id AND deliveries.state = 'accepted')
                THEN old.token_registered END AS confirmed
            FROM devices AS old JOIN apps ON apps.topic = old.topic WHERE \(range)) AS copied
        """
    }

    private static func messages(_ range: String) -> String {
        """
        INSERT INTO new_messages (number, app, id, mode, until, payload, badge_is_unread, fingerprint, audience,
            revision, devices, accepted, recalled, dialect)
        SELECT old.number, apps.number, old.id, old.mode, old.until, old.payload, old.badge_is_unread,
            old.fingerprint, NULL, old.revision, old.devices, old.accepted, old.recalled, old.dialect
        FROM messages AS old JOIN apps ON apps.topic = old.topic WHERE \(range)
        """
    }

    private static func idempotency(_ range: String) -> String {
        """
        INSERT INTO new_idempotency (owner, key, fingerprint, message, devices, at)
        SELECT old.owner, old.key, old.fingerprint, messages.number, old.devices, old.at
        FROM idempotency AS old JOIN messages ON messages.id = old.message WHERE \(range)
        """
    }

    /// An entry follows its message to the message's app.
    ///
    /// It is dropped where the deliveries show that a newer revision went to others and not to this user: the entry would
    /// show one person what was meant for another.
    private static func inbox(_ range: String) -> String {
        """
        INSERT INTO new_inbox (app, user, message, read)
        SELECT new_messages.app, old.user, new_messages.number, old.read
        FROM inbox AS old JOIN new_messages ON new_messages.number = old.number WHERE \(range)
            AND NOT (
                EXISTS (SELECT 1 FROM deliveries WHERE deliveries.message = old.message
                    AND deliveries.user = old.user AND deliveries.revision < new_messages.revision)
                AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.message = old.message
                    AND deliveries.user = old.user AND deliveries.revision = new_messages.revision)
                AND EXISTS (SELECT 1 FROM deliveries WHERE deliveries.message = old.message
                    AND deliveries.user <> old.user AND deliveries.revision = new_messages.revision))
        """
    }

    /// What was queued for a device that has become another app's is not sent.
    private static func deliveries(_ range: String) -> String {
        """
        INSERT INTO new_deliveries (number, message, device, purpose, user, revision, state, attempt, tries, reach,
            reach_before, queued, due, lease_owner, lease_until)
        SELECT old.number, messages.number, old.device, old.purpose, old.user, old.revision,
            CASE WHEN old.state = 'queued' AND messages.topic <> devices.topic THEN 'cancelled' ELSE old.state END,
            old.attempt, old.tries, old.reach, old.reach_before, old.queued, old.due, old.lease_owner, old.lease_until
        FROM deliveries AS old LEFT JOIN messages ON messages.id = old.message
            LEFT JOIN devices ON devices.id = old.device
        WHERE \(range) AND (old.message IS NULL OR messages.number IS NOT NULL)
        """
    }

    private static func removals(_ range: String) -> String {
        """
        INSERT INTO new_removals (device, message, reason, revision, requested, confirmed)
        SELECT old.device, messages.number, old.reason, old.revision, old.requested, old.confirmed
        FROM removals AS old JOIN messages ON messages.id = old.message JOIN devices ON devices.id = old.device
        WHERE \(range) AND messages.topic = devices.topic
        """
    }

    private static func events(_ range: String) -> String {
        """
        INSERT INTO new_events (number, message, device, event, at, purpose, revision, attempt, reason, status, apns_id,
            detail, receipt)
        SELECT old.number, messages.number, old.device, old.event, old.at, old.purpose, old.revision, old.attempt,
            old.reason, old.status, old.apns_id, old.detail, old.receipt
        FROM events AS old JOIN messages ON messages.id = old.message WHERE \(range)
        """
    }
}
