extension Schema {
    /// Messages, their users' inboxes, and their unfinished work.
    ///
    /// - `messages.audience`: the fingerprint of the audience.
    /// - `messages.notice`: a ``RecallNotice`` in JSON; `texts`: a ``MessageTexts`` in JSON, NULL for none.
    /// - `messages.remove_expired`: whether the message is removed when its `until` has passed; `expires`: that moment, until
    ///   it is carried out.
    /// - `messages.send_at`: when the message is to be sent; `paused`, `cancelled`: since when it is.
    /// - `messages.keeps_replies`: whether `events.reply` keeps the text that the person typed.
    /// - `messages.ranged`: whether `ranges` and `chunks` take the place of rows in `deliveries`.
    /// - `message_variables.values`: a user's values for the message's texts, an object of texts in JSON.
    /// - `inbox.gone`: whether the message counts no more, because it was recalled or has expired; `revision` and `until` are
    ///   the message's.
    /// - `unread`: the count of each user who has unread messages; triggers keep it.
    /// - `work.state`: a ``StepwiseWork`` in JSON; `problem`: why it cannot go on; `due`: not before that moment, and
    ///   ``WorkTable/never`` while its message is paused.
    static let messages = """
        CREATE TABLE messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            mode TEXT NOT NULL,
            until INTEGER,
            payload BLOB NOT NULL,
            badge_is_unread INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            audience BLOB NOT NULL,
            revision INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            recalled INTEGER,
            dialect TEXT NOT NULL,
            everyone INTEGER NOT NULL DEFAULT 0,
            notice BLOB,
            remove_expired INTEGER NOT NULL DEFAULT 0,
            expires INTEGER,
            keeps_replies INTEGER NOT NULL DEFAULT 0,
            texts BLOB,
            send_at INTEGER,
            paused INTEGER,
            cancelled INTEGER,
            ranged INTEGER NOT NULL DEFAULT 0,
            UNIQUE (app, id)
        ) STRICT;
        CREATE INDEX messages_by_age ON messages (accepted);
        CREATE INDEX messages_by_end ON messages (expires) WHERE expires IS NOT NULL;
        CREATE TABLE message_variables (
            app INTEGER NOT NULL,
            user TEXT NOT NULL,
            message INTEGER NOT NULL,
            "values" TEXT NOT NULL,
            PRIMARY KEY (app, user, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX message_variables_of_message ON message_variables (message);
        CREATE TABLE idempotency (
            number INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            message INTEGER NOT NULL,
            devices INTEGER NOT NULL,
            at INTEGER NOT NULL,
            UNIQUE (owner, key)
        ) STRICT;
        CREATE INDEX idempotency_by_age ON idempotency (at);
        CREATE TABLE inbox (
            app INTEGER NOT NULL,
            user TEXT NOT NULL,
            message INTEGER NOT NULL,
            read INTEGER,
            gone INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 0,
            until INTEGER,
            PRIMARY KEY (app, user, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX inbox_by_message ON inbox (message);
        CREATE INDEX inbox_by_end ON inbox (app, user, until) WHERE read IS NULL AND gone = 0 AND until IS NOT NULL;
        CREATE TABLE unread (
            app INTEGER NOT NULL,
            user TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (app, user)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE work (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            message INTEGER,
            state TEXT NOT NULL,
            problem TEXT,
            due INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX work_of_message ON work (message);
        CREATE INDEX work_due ON work (due, number);
        """

    /// Pushes to devices one by one, and the events of all pushes.
    ///
    /// - `deliveries.message`: NULL for a push about no single message; a unique index takes NULLs for different.
    /// - `deliveries.reach`: 0 for a push that cannot have arrived, 1 for one that may have, 2 for one that APNs accepted;
    ///   `reach_before`: the value before the attempt in flight.
    /// - `deliveries.channel`: the app and the environment to which a push goes; -1 - n for a held push of channel n;
    ///   `lane`: a ``DeliveryLane``.
    /// - `deliveries.sender`, `epoch`: the ``Lease``; `answers`: a ``ReceiptSet``, in rows with the purpose show.
    /// - `deliveries.problem`: why the row was set aside, because it cannot be read.
    /// - `deliveries.flight_revision`, `flight_attempt`: the push that a sender has in flight, because a newer revision may
    ///   take its row meanwhile.
    static let deliveries = """
        CREATE TABLE deliveries (
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
            channel INTEGER NOT NULL DEFAULT 0,
            lane INTEGER NOT NULL DEFAULT 0,
            sender INTEGER,
            epoch INTEGER NOT NULL DEFAULT 0,
            answers INTEGER NOT NULL DEFAULT 0,
            problem TEXT,
            flight_revision INTEGER,
            flight_attempt INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX deliveries_of_message ON deliveries (message, device, purpose);
        CREATE INDEX deliveries_of_device ON deliveries (device, state);
        CREATE INDEX deliveries_waiting ON deliveries (channel, lane, due, number) WHERE state = 'queued' AND sender IS NULL;
        CREATE INDEX deliveries_held ON deliveries (sender, number) WHERE sender IS NOT NULL;
        CREATE INDEX deliveries_set_aside ON deliveries (number) WHERE state = 'set-aside';
        CREATE TABLE removals (
            device TEXT NOT NULL,
            message INTEGER NOT NULL,
            reason TEXT NOT NULL,
            revision INTEGER NOT NULL,
            requested INTEGER NOT NULL,
            confirmed INTEGER,
            PRIMARY KEY (device, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removals_open ON removals (device, requested) WHERE confirmed IS NULL;
        CREATE INDEX removals_by_message ON removals (message);
        CREATE TABLE events (
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
            receipt TEXT,
            reply TEXT
        ) STRICT;
        CREATE INDEX events_of_message ON events (message, device, at);
        CREATE UNIQUE INDEX events_by_receipt ON events (device, receipt) WHERE receipt IS NOT NULL;
        """
}
