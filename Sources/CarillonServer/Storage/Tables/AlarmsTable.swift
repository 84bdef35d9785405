import CarillonCore

/// Reads and writes the table `alarms`: the apps that can send nothing now.
///
/// The table outlives the processes, so that the feed of an app tells the beginning of an alarm once, and also its end.
struct AlarmsTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table; `since` is the time at which the app's pushes began to fail, and `sender` the process that
    /// has found it.
    static let creation = """
        CREATE TABLE alarms (
            app INTEGER NOT NULL,
            environment TEXT NOT NULL,
            sender INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (app, environment)
        ) STRICT, WITHOUT ROWID;
        """

    /// Returns the apps with alarms that a sender may end: its own ones, and those of senders that are gone.
    ///
    /// Another sender that lives knows best whether its alarm is over. Otherwise one that can send and one that cannot would end
    /// and raise it in turn.
    func apps(of sender: SenderNumber) throws -> Set<AppID> {
        let found = try rows(
            """
            SELECT apps.topic, alarms.environment FROM alarms JOIN apps ON apps.number = alarms.app
            WHERE alarms.sender = ? OR NOT EXISTS (
                SELECT 1 FROM senders WHERE senders.number = alarms.sender AND senders.ended = 0)
            """, [sender.rawValue])
        return Set(try found.map { AppID(topic: try $0["topic"], environment: try $0.choice("environment")) })
    }

    /// Stores that nothing of an app can be sent, and tells it to the app's feed; does nothing if that is known already.
    func raise(_ alarm: SendingGates.Alarm, by sender: SenderNumber) throws {
        let new = try row(
            """
            INSERT INTO alarms (app, environment, sender, since)
            SELECT number, ?, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM apps WHERE topic = ?
            ON CONFLICT (app, environment) DO NOTHING RETURNING app
            """,
            [
                alarm.app.environment.rawValue, sender.rawValue, alarm.since.millisecondsSince1970, alarm.app.topic,
            ])
        guard let new else { return }
        session.emit(
            .sendingStopped, of: AppNumber(rawValue: try new["app"]),
            FeedDetails(
                reason: alarm.trouble.reason, detail: alarm.trouble.advice, environment: alarm.app.environment))
    }

    /// Stores that an app's messages are sent again, and tells it to the app's feed.
    func end(_ app: AppID, by sender: SenderNumber) throws {
        let known = try row(
            """
            DELETE FROM alarms WHERE environment = ? AND app = (SELECT number FROM apps WHERE topic = ?)
                AND (sender = ? OR NOT EXISTS (
                    SELECT 1 FROM senders WHERE senders.number = alarms.sender AND senders.ended = 0))
            RETURNING app
            """, [app.environment.rawValue, app.topic, sender.rawValue])
        guard let known else { return }
        session.emit(
            .sendingResumed, of: AppNumber(rawValue: try known["app"]), FeedDetails(environment: app.environment))
    }

    /// Deletes the alarms of an app that is removed.
    func delete(of app: AppNumber) throws { try execute("DELETE FROM alarms WHERE app = ?", [app.rawValue]) }
}
