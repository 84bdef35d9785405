extension WebhooksTable {
    /// The SQL that creates the table of webhooks.
    ///
    /// - `webhooks.types`: a JSON array of types, NULL for all; `texts`: whether the events have typed replies.
    /// - `webhooks.former_secret`, `former_until`: the secret before the last rotation, and the time until which it signs too.
    /// - `webhooks.position`, `place`: the ``FeedPosition`` up to which the endpoint has confirmed the events.
    /// - `webhooks.round`: the number of replays, which is a part of the requests' ids.
    /// - `webhooks.flight`: the ``WebhookFlight`` of the request that is being tried, in JSON; NULL for none.
    /// - `webhooks.failures`: the number of failed attempts at this request; `due`: the earliest time of the next attempt.
    /// - `webhooks.answer`, `answered`: the last failure in words, and its time; `delivered`: the time of the last success.
    /// - `webhooks.missed`: the time at which events were left out, because they were not kept any more.
    /// - `webhooks.request`: a hash of the last rotation, replay or test that came with an idempotency key; NULL for none.
    /// - `webhooks.sender`, `epoch`: the ``Lease`` of the sender that makes the request.
    static let creation = """
        CREATE TABLE webhooks (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            app INTEGER NOT NULL,
            url TEXT NOT NULL,
            types TEXT,
            texts INTEGER NOT NULL,
            secret BLOB NOT NULL,
            former_secret BLOB,
            former_until INTEGER,
            created INTEGER NOT NULL,
            position INTEGER NOT NULL,
            place INTEGER NOT NULL,
            round INTEGER NOT NULL DEFAULT 0,
            flight TEXT,
            failures INTEGER NOT NULL DEFAULT 0,
            due INTEGER NOT NULL,
            set_aside INTEGER,
            answer TEXT,
            answered INTEGER,
            delivered INTEGER,
            missed INTEGER,
            request BLOB,
            sender INTEGER,
            epoch INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX webhooks_of_app ON webhooks (app, number);
        CREATE INDEX webhooks_held ON webhooks (sender) WHERE sender IS NOT NULL;
        """
}
