extension Schema {
    /// The SQL that creates the tables of installations, of their tags, and of nonces pushed to device tokens.
    ///
    /// - `devices.ordinal`: the device's running number in its app, never reused; NULL until the device's first token is
    ///   confirmed (``DeviceRecord/confirmed``).
    /// - `devices.secret_hash`: empty for an imported device whose token no installation has registered.
    /// - `devices.user_imported`: whether the user comes from an import and no sign-in token has confirmed the user.
    /// - `devices.tags_imported`: whether the tags come from an import and the app has not set its own.
    /// - `devices.bound`: the number of the last ``RangeChunk`` that existed when the device's user signed in. A trigger sets it.
    /// - `devices.retired`: the time since which nothing can be sent to the device; NULL while it is active. `retired_for`: APNs'
    ///   reason.
    /// - `token_claims`: a row for each token to which a nonce was pushed lately, with the time of the push.
    /// - `device_tags`: a row for each tag of a device; `ordinal` is a copy of the device's ordinal, which a trigger updates.
    static let devices = """
        CREATE TABLE devices (
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
            badge INTEGER,
            user_imported INTEGER NOT NULL DEFAULT 0,
            tags_imported INTEGER NOT NULL DEFAULT 0,
            bound INTEGER NOT NULL DEFAULT 0,
            retired INTEGER,
            retired_for TEXT,
            sequence INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX devices_by_ordinal ON devices (app, ordinal) WHERE ordinal IS NOT NULL;
        CREATE UNIQUE INDEX devices_by_token ON devices (token, app, environment) WHERE token IS NOT NULL;
        CREATE INDEX devices_by_user ON devices (app, user) WHERE user IS NOT NULL;
        CREATE INDEX devices_by_locale ON devices (app, locale);
        CREATE INDEX devices_by_time_zone ON devices (app, time_zone);
        CREATE INDEX devices_by_version ON devices (app, app_version);
        CREATE INDEX devices_by_seen ON devices (app, seen);
        CREATE INDEX devices_unconfirmed ON devices (app, ordinal) WHERE confirmed IS NULL AND ordinal IS NOT NULL;
        CREATE INDEX devices_retired ON devices (retired) WHERE retired IS NOT NULL;
        CREATE TABLE token_claims (
            app INTEGER NOT NULL,
            token TEXT NOT NULL,
            pushed INTEGER NOT NULL,
            PRIMARY KEY (app, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE device_tags (
            app INTEGER NOT NULL,
            tag TEXT NOT NULL,
            device TEXT NOT NULL,
            ordinal INTEGER,
            PRIMARY KEY (app, tag, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_tags_by_device ON device_tags (device);
        CREATE INDEX device_tags_by_place ON device_tags (app, tag, ordinal) WHERE ordinal IS NOT NULL;
        """
}
