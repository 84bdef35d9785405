/// The tables since everything belongs to an app.
///
/// While an older database is upgraded they stand beside the old ones, as `new_…`.
extension SQLiteSchema {
    /// Apps with their keys, and devices.
    ///
    /// `ordinal` is a confirmed device's place among its app's, never used again: `next_ordinal` only grows.
    /// `next_check` is when the app's next new token may be tried. `token_claims` has when a nonce was last pushed to a
    /// token, whoever asked for it.
    static let accounts = """
        CREATE TABLE apps (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            topic TEXT NOT NULL UNIQUE,
            requires_sign_in INTEGER NOT NULL DEFAULT 0,
            next_ordinal INTEGER NOT NULL DEFAULT 1,
            next_check INTEGER NOT NULL DEFAULT 0,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE app_credentials (
            app INTEGER NOT NULL,
            environment TEXT NOT NULL,
            path TEXT NOT NULL,
            key_id TEXT,
            team_id TEXT,
            PRIMARY KEY (app, environment)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE sign_in_keys (
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            algorithm TEXT NOT NULL,
            key BLOB NOT NULL,
            created INTEGER NOT NULL,
            revoked INTEGER,
            PRIMARY KEY (app, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE api_key_apps (
            key TEXT NOT NULL,
            app INTEGER NOT NULL,
            PRIMARY KEY (key, app)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE token_claims (
            app INTEGER NOT NULL,
            token TEXT NOT NULL,
            pushed INTEGER NOT NULL,
            PRIMARY KEY (app, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE new_devices (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            app INTEGER NOT NULL,
            ordinal INTEGER,
            secret_hash BLOB NOT NULL,
            environment TEXT NOT NULL,
            token TEXT,
            token_registered INTEGER NOT NULL,
            state TEXT NOT NULL,
            confirmed INTEGER,
            claimed_token TEXT,
            claimed_environment TEXT,
            claim_nonce TEXT,
            claim_pushed INTEGER,
            user TEXT,
            permission TEXT NOT NULL,
            locale TEXT,
            time_zone TEXT,
            app_version TEXT,
            tags TEXT NOT NULL,
            seen INTEGER NOT NULL,
            push_revision INTEGER NOT NULL DEFAULT 0,
            silent_unanswered INTEGER NOT NULL DEFAULT 0,
            badge INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX devices_by_ordinal ON new_devices (app, ordinal) WHERE ordinal IS NOT NULL;
        """

    /// `audience` is the fingerprint of whom the message is for; NULL for one that was accepted before it was kept.
    static let messages = """
        CREATE TABLE new_messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            mode TEXT NOT NULL,
            until INTEGER,
            payload BLOB NOT NULL,
            badge_is_unread INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            audience BLOB,
            revision INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            recalled INTEGER,
            dialect TEXT NOT NULL,
            UNIQUE (app, id)
        ) STRICT;
        CREATE TABLE new_idempotency (
            number INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            message INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            at INTEGER NOT NULL,
            UNIQUE (owner, key)
        ) STRICT;
        CREATE TABLE new_inbox (
            app INTEGER NOT NULL,
            user TEXT NOT NULL,
            message INTEGER NOT NULL,
            read INTEGER,
            PRIMARY KEY (app, user, message)
        ) STRICT, WITHOUT ROWID;
        """

    /// `message` is a message's number; NULL for a push about no single message (and NULLs are all different to a unique
    /// index).
    ///
    /// `reach`: 0 it cannot have arrived, 1 it may have, 2 APNs accepted it; `reach_before` is what it was before the
    /// attempt in flight.
    static let deliveries = """
        CREATE TABLE new_deliveries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER,
            device TEXT NOT NULL,
            purpose TEXT NOT NULL,
            user TEXT,
            revision INTEGER NOT NULL,
            state TEXT NOT NULL,
            attempt INTEGER NOT NULL DEFAULT 0,
            tries INTEGER NOT NULL DEFAULT 0,
            reach INTEGER NOT NULL DEFAULT 0,
            reach_before INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL,
            due INTEGER NOT NULL,
            lease_owner TEXT,
            lease_until INTEGER
        ) STRICT;
        CREATE TABLE new_removals (
            device TEXT NOT NULL,
            message INTEGER NOT NULL,
            reason TEXT NOT NULL,
            revision INTEGER NOT NULL,
            requested INTEGER NOT NULL,
            confirmed INTEGER,
            PRIMARY KEY (device, message)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE new_events (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER NOT NULL,
            device TEXT NOT NULL,
            event TEXT NOT NULL,
            at INTEGER NOT NULL,
            purpose TEXT,
            revision INTEGER NOT NULL,
            attempt INTEGER,
            reason TEXT,
            status INTEGER,
            apns_id TEXT,
            detail TEXT,
            receipt TEXT
        ) STRICT;
        """

    /// Made last: their names may be those of the old tables' indexes, and filling a table is faster without.
    static let indexes = """
        CREATE UNIQUE INDEX devices_by_token ON devices (token, app, environment) WHERE token IS NOT NULL;
        CREATE INDEX devices_by_user ON devices (app, user) WHERE user IS NOT NULL;
        CREATE INDEX messages_by_age ON messages (accepted);
        CREATE INDEX idempotency_by_age ON idempotency (at);
        CREATE INDEX inbox_unread ON inbox (app, user) WHERE read IS NULL;
        CREATE INDEX inbox_by_message ON inbox (message);
        CREATE UNIQUE INDEX deliveries_of_message ON deliveries (message, device, purpose);
        CREATE INDEX deliveries_due ON deliveries (due, number) WHERE state = 'queued';
        CREATE INDEX deliveries_of_device ON deliveries (device, state);
        CREATE INDEX removals_open ON removals (device, requested) WHERE confirmed IS NULL;
        CREATE INDEX removals_by_message ON removals (message);
        CREATE INDEX events_of_message ON events (message, device, at);
        CREATE UNIQUE INDEX events_by_receipt ON events (device, receipt) WHERE receipt IS NOT NULL;
        """
}
