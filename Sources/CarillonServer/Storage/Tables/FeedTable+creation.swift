extension FeedTable {
    /// The SQL that creates the tables of the feed of events and of its readers.
    ///
    /// - `feeds`: a row for each app whose feed was ever read. `until`: the time until which the app's events are written to the
    ///   feed; `first`: the number of the row from which on no event is missing; `since`: the time of that row.
    /// - `feed.written`: the service's time of the transaction.
    /// - `feed.events`: the lines of a ``FeedRow/events(_:)``; in a row of another kind NULL, and then the following columns count.
    /// - `feed.at`: the time of the event, which may be a phone's.
    /// - `feed.message`, `device`, `user`: ids. They are no references, because the feed outlives messages and devices.
    /// - `feed.details`: a ``FeedDetails`` in JSON.
    /// - `feed.first`, `places`: for a row about many devices of a broadcast, the first ordinal (running number in the app) and a
    ///   ``DeviceSet`` of positions counted from it; otherwise NULL.
    /// - `feed_users`: the numbers by which `feed.events` names users. `used`: the time of an event that names the user; the newest one
    ///   is at most ``StoreLimits/feedUserNoted`` later.
    static let creation = """
        CREATE TABLE feeds (
            app INTEGER PRIMARY KEY,
            until INTEGER NOT NULL,
            first INTEGER NOT NULL,
            since INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE feed (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            written INTEGER NOT NULL,
            type TEXT NOT NULL,
            events TEXT,
            at INTEGER,
            message TEXT,
            device TEXT,
            user TEXT,
            details TEXT,
            first INTEGER,
            places BLOB
        ) STRICT;
        CREATE INDEX feed_of_app ON feed (app, number);
        CREATE INDEX feed_of_user ON feed (app, user) WHERE user IS NOT NULL;
        CREATE TABLE feed_users (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            user TEXT NOT NULL,
            used INTEGER NOT NULL,
            UNIQUE (app, user)
        ) STRICT;
        CREATE INDEX feed_users_by_use ON feed_users (app, used);
        """
}
