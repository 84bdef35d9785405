extension Schema {
    /// The SQL that creates the tables of messages, inboxes and unfinished tasks.
    ///
    /// - `messages.audience`: the fingerprint of the audience.
    /// - `messages.notice`: a ``RecallNotice`` in JSON; `texts`: a ``MessageTexts`` in JSON, NULL for none.
    /// - `messages.remove_expired`: whether devices remove the message when its `until` has passed; `expires`: the time of
    ///   `until`, NULL once the removal has begun.
    /// - `messages.send_at`: the scheduled time; `paused`, `cancelled`: the times of the pause and of the cancellation.
    /// - `messages.keeps_replies`: whether `events.reply` stores the replies that people type.
    /// - `messages.ranged`: whether the message's deliveries are kept as bitmaps, a bit for each device (``RangeRules``), in the
    ///   tables `ranges` and `chunks` instead of `deliveries`.
    /// - `messages.now_or_never`: whether the message is delivered now or never (``MessageEnd/now``); its `until` is NULL then.
    /// - `messages.nobody`: the ``NobodyReason`` of a message that is for no device; NULL for any other message, and until all
    ///   devices are examined.
    /// - `messages.campaign`: the campaign whose figures count the message; NULL for none.
    /// - `messages.finished`: the newest revision whose last push the feed has told; NULL for none.
    /// - `message_variables.values`: a user's values of the message's variables, a JSON object of texts.
    /// - `idempotency.answer`: the answer in JSON to a call that is about no message; NULL for a message.
    /// - `inbox.gone`: whether the message no longer counts as unread, because it was recalled, was cancelled or has expired;
    ///   `revision`, `until`: copies of the message's columns.
    /// - `unread`: the number of unread messages of each user who has any. Triggers update it.
    /// - `work.state`: a ``StepwiseWork`` in JSON; `problem`: the reason why senders skip the task, if it cannot be decoded;
    ///   `due`: the earliest time of its next step, ``WorkTable/never`` while its message is paused.
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
            now_or_never INTEGER NOT NULL DEFAULT 0,
            nobody TEXT,
            campaign TEXT,
            finished INTEGER,
            UNIQUE (app, id)
        ) STRICT;
        CREATE INDEX messages_by_age ON messages (accepted);
        CREATE INDEX messages_of_app ON messages (app, number);
        CREATE INDEX messages_by_audience ON messages (app, audience) WHERE devices = 0 OR ranged = 1;
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
            answer TEXT,
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
        \(WorkTable.creation)
        \(MessageChangesTable.creation)
        """
}
