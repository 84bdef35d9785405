import CarillonCore
import GRDB

/// What changed when deliveries became values that are leased by numbered senders.
extension SQLiteSchema {
    /// - `channel`: the app and the environment a push goes to; `lane`: a ``DeliveryLane``.
    /// - `sender`, `epoch`: the ``Lease``; `answers`: a ``ReceiptSet``, in rows with the purpose show.
    /// - `problem`: what cannot be read of a row that was set aside.
    static func moveToSenders(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE senders (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL UNIQUE,
                    beat INTEGER NOT NULL DEFAULT 0,
                    ended INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                DROP INDEX deliveries_due;
                ALTER TABLE deliveries ADD COLUMN channel INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE deliveries ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE deliveries ADD COLUMN sender INTEGER;
                ALTER TABLE deliveries ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE deliveries ADD COLUMN answers INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE deliveries ADD COLUMN problem TEXT;
                ALTER TABLE deliveries DROP COLUMN lease_owner;
                ALTER TABLE deliveries DROP COLUMN lease_until;
                ALTER TABLE messages ADD COLUMN everyone INTEGER NOT NULL DEFAULT 0;
                UPDATE deliveries SET channel = coalesce(
                    (SELECT \(SendingChannel.ofDevice) FROM devices WHERE devices.id = deliveries.device), 0);
                CREATE INDEX deliveries_waiting ON deliveries (channel, lane, due, number)
                    WHERE state = 'queued' AND sender IS NULL;
                CREATE INDEX deliveries_held ON deliveries (sender, number) WHERE sender IS NOT NULL;
                CREATE INDEX deliveries_set_aside ON deliveries (number) WHERE state = 'set-aside';
                """)
        try db.execute(
            sql: "UPDATE messages SET everyone = 1 WHERE audience = ?", arguments: [Audience.everyone.fingerprint])
        for event in ReceiptEvent.allCases {
            try db.execute(
                sql: """
                    UPDATE deliveries SET answers = answers | ? WHERE purpose = 'show' AND EXISTS
                        (SELECT 1 FROM events WHERE events.message = deliveries.message
                            AND events.device = deliveries.device AND events.revision >= deliveries.revision
                            AND events.receipt IS NOT NULL AND events.event = ?)
                    """, arguments: [ReceiptSet(event).rawValue, event.rawValue])
        }
    }

    /// What a sender has in flight, beside what is to be sent: a newer revision may take a push's place meanwhile.
    static func addAttempts(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE deliveries ADD COLUMN flight_revision INTEGER;
                ALTER TABLE deliveries ADD COLUMN flight_attempt INTEGER;
                UPDATE deliveries SET flight_revision = revision, flight_attempt = attempt
                    WHERE sender IS NOT NULL AND attempt > 0
                """)
    }
}
