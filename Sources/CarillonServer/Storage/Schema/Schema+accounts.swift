extension Schema {
    /// The SQL that creates the tables of apps with their keys.
    ///
    /// - `apps.next_ordinal`: the ordinal (running number in the app) that the app's next device gets. It only grows.
    /// - `apps.next_check`: the earliest time at which the app's next new token may be checked.
    /// - `apps.sends_per_second`: the greatest number of pushes per second, NULL for no limit; `bucket`, `bucket_at`: the state
    ///   of the ``TokenBucket`` that enforces this limit.
    /// - `app_credentials.told_end`: the end of the latest certificate whose end the feed has told; NULL for none.
    static let accounts = """
        CREATE TABLE api_keys (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            secret_hash BLOB NOT NULL,
            scopes TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER,
            revoked INTEGER,
            last_used INTEGER
        ) STRICT;
        CREATE TABLE api_key_apps (
            key TEXT NOT NULL,
            app INTEGER NOT NULL,
            PRIMARY KEY (key, app)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE apps (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            topic TEXT NOT NULL UNIQUE,
            requires_sign_in INTEGER NOT NULL DEFAULT 0,
            next_ordinal INTEGER NOT NULL DEFAULT 1,
            next_check INTEGER NOT NULL DEFAULT 0,
            created INTEGER NOT NULL,
            sends_per_second INTEGER,
            bucket INTEGER NOT NULL DEFAULT 0,
            bucket_at INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE app_credentials (
            app INTEGER NOT NULL,
            environment TEXT NOT NULL,
            path TEXT NOT NULL,
            key_id TEXT,
            team_id TEXT,
            told_end INTEGER,
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
        """
}
