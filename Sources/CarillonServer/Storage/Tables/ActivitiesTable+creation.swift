extension ActivitiesTable {
    /// The SQL that creates the tables of Live Activities.
    ///
    /// - `activities.alert`: the alert of the start, for phones that start it later.
    /// - `activities.content`: the members of `aps` that the backend chose for the newest revision, as a JSON object.
    /// - `activities.stamp`: the `timestamp` of the newest revision, in seconds since 1970.
    /// - `activity_phones`: a row for each phone that a Live Activity is for. `delivery`: the number of the row of `deliveries` with
    ///   the phone's push, which may be gone; `user`: the user for whom the phone got it; `withdrawn`: whether that user has left the
    ///   phone. `events`: the ``ActivityEvents`` as JSON; NULL for none. The other columns are
    ///   those of an ``ActivityPhone``.
    /// - `activity_tokens.id`: the name of the Live Activity that the token updates; empty for a push-to-start token. `dead`: the
    ///   time at which APNs rejected the token.
    /// - `activity_phones.seen`, `shown`: ``ActivityEvents/reported``, and the timestamp of the newest content that was shown.
    /// - `activities.recipients`: the ``StepwiseWork/Addressing/Recipients`` of a Live Activity with channels, as JSON.
    /// - `activity_requests`: a row for each idempotency key of a call about a Live Activity.
    static let creation = """
        CREATE TABLE activities (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            attributes BLOB NOT NULL,
            alert BLOB NOT NULL,
            content BLOB NOT NULL,
            revision INTEGER NOT NULL,
            stamp INTEGER NOT NULL,
            started INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            ended INTEGER,
            devices INTEGER NOT NULL,
            nobody TEXT,
            fingerprint BLOB NOT NULL,
            audience BLOB NOT NULL,
            recipients TEXT
        ) STRICT;
        CREATE UNIQUE INDEX activities_by_id ON activities (app, id);
        CREATE INDEX activities_of_audience ON activities (app, audience);
        CREATE INDEX activities_by_change ON activities (changed);
        CREATE INDEX activities_waiting ON activities (app) WHERE recipients IS NOT NULL;
        CREATE TABLE activity_phones (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            activity INTEGER NOT NULL,
            device TEXT NOT NULL,
            user TEXT,
            delivery INTEGER,
            settled INTEGER NOT NULL DEFAULT 0,
            reach INTEGER NOT NULL DEFAULT 0,
            withdrawn INTEGER NOT NULL DEFAULT 0,
            finished INTEGER NOT NULL DEFAULT 0,
            gone INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            following INTEGER NOT NULL DEFAULT 0,
            events TEXT,
            seen INTEGER NOT NULL DEFAULT 0,
            shown INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX activity_phones_of_activity ON activity_phones (activity, device);
        CREATE INDEX activity_phones_of_device ON activity_phones (device);
        CREATE INDEX activity_phones_of_user ON activity_phones (app, user) WHERE user IS NOT NULL;
        CREATE INDEX activity_phones_queued ON activity_phones (delivery) WHERE delivery IS NOT NULL;
        CREATE TABLE activity_tokens (
            app INTEGER NOT NULL,
            device TEXT NOT NULL,
            type TEXT NOT NULL,
            id TEXT NOT NULL,
            token TEXT NOT NULL,
            registered INTEGER NOT NULL,
            dead INTEGER,
            PRIMARY KEY (device, type, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX activity_tokens_of_activity ON activity_tokens (app, type, id) WHERE id <> '';
        CREATE TABLE activity_requests (
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            app INTEGER NOT NULL,
            activity INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (owner, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX activity_requests_of_activity ON activity_requests (activity);
        """
}
