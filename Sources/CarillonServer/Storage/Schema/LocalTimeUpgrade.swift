/// The upgrade of the tables for messages in local time, which adds two columns.
enum LocalTimeUpgrade {
    /// The statements.
    ///
    /// - `messages.local`: a ``LocalSchedule`` in JSON, NULL for any other message. `messages.send_at` is then the time at which
    ///   the local time comes first, of all places.
    /// - `chunks.due`: the time before which no sender claims the chunk, 0 for a chunk that may be claimed at once.
    static let upgrade = SchemaUpgrade(
        to: 2,
        """
        ALTER TABLE messages ADD COLUMN local TEXT;
        CREATE INDEX messages_local ON messages (app, send_at) WHERE local IS NOT NULL;
        ALTER TABLE chunks ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
        DROP INDEX chunks_open;
        CREATE INDEX chunks_open ON chunks (due, number, channel, sender) WHERE open = 1;
        """)
}
