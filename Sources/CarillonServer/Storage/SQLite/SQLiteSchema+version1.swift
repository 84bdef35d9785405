/// The tables of the first version, from which the later ones are made: not to be changed.
extension SQLiteSchema {
    static let firstAccounts = """
        CREATE TABLE api_keys (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            secret_hash BLOB NOT NULL,
            scopes TEXT NOT NULL,
            created INTEGER NOT NULL,
            revoked INTEGER
        ) STRICT;
        CREATE TABLE devices (
            id TEXT PRIMARY KEY NOT NULL,
            secret_hash BLOB NOT NULL,
            topic TEXT NOT NULL,
            environment TEXT NOT NULL,
            token TEXT,
            token_registered INTEGER NOT NULL,
            state TEXT NOT NULL,
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
        CREATE UNIQUE INDEX devices_by_token ON devices (token, topic, environment) WHERE token IS NOT NULL;
        CREATE INDEX devices_by_user ON devices (user) WHERE user IS NOT NULL;
        """

    static let firstMessages = """
        CREATE TABLE messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            topic TEXT NOT NULL,
            mode TEXT NOT NULL,
            until INTEGER,
            payload BLOB NOT NULL,
            badge_is_unread INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            revision INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            recalled INTEGER
        ) STRICT;
        CREATE INDEX messages_by_age ON messages (accepted);
        CREATE TABLE idempotency (
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            message TEXT NOT NULL,
            devices INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (owner, key)
        ) STRICT;
        CREATE INDEX idempotency_by_age ON idempotency (at);
        CREATE TABLE inbox (
            user TEXT NOT NULL,
            message TEXT NOT NULL,
            number INTEGER NOT NULL,
            read INTEGER,
            PRIMARY KEY (user, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX inbox_unread ON inbox (user) WHERE read IS NULL;
        CREATE INDEX inbox_by_message ON inbox (message);
        """

    /// `message` is NULL for a removal or badge push, which is about no single message (and NULLs are all different to
    /// a unique index).
    ///
    /// `reach`: 0 it cannot have arrived, 1 it may have, 2 APNs accepted it; `reach_before` is what it was before the
    /// attempt in flight.
    static let firstDeliveries = """
        CREATE TABLE deliveries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message TEXT,
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
        CREATE UNIQUE INDEX deliveries_of_message ON deliveries (message, device, purpose);
        CREATE INDEX deliveries_due ON deliveries (due, number) WHERE state = 'queued';
        CREATE INDEX deliveries_of_device ON deliveries (device, state);
        CREATE TABLE removals (
            device TEXT NOT NULL,
            message TEXT NOT NULL,
            reason TEXT NOT NULL,
            requested INTEGER NOT NULL,
            confirmed INTEGER,
            PRIMARY KEY (device, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removals_open ON removals (device, requested) WHERE confirmed IS NULL;
        CREATE INDEX removals_by_message ON removals (message);
        CREATE TABLE events (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message TEXT NOT NULL,
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
        CREATE INDEX events_of_message ON events (message, device, at);
        CREATE UNIQUE INDEX events_by_receipt ON events (device, receipt) WHERE receipt IS NOT NULL;
        """
}
