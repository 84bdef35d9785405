import CarillonCore

/// Reads and writes the table `alarms`: the apps that can send nothing now.
///
/// The table outlives the processes, so that the feed of an app tells the beginning of an alarm once, and also its end.
struct AlarmsTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table; `since` is the time at which the app's pushes began to fail.
    static let creation = """
        CREATE TABLE alarms (
            app INTEGER NOT NULL,
            environment TEXT NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (app, environment)
        ) STRICT, WITHOUT ROWID;
        """

    /// Returns the apps that could send nothing when a process last looked.
    func apps() throws -> Set<AppID> {
        let found = try rows(
            "SELECT apps.topic, alarms.environment FROM alarms JOIN apps ON apps.number = alarms.app")
        return Set(try found.map { AppID(topic: try $0["topic"], environment: try $0.choice("environment")) })
    }

    /// Stores that nothing of an app can be sent, and tells it to the app's feed; does nothing if that is known already.
    func raise(_ alarm: SendingGates.Alarm) throws {
        let new = try row(
            """
            INSERT INTO alarms (app, environment, since) SELECT number, ?, ? FROM apps WHERE topic = ?
            ON CONFLICT (app, environment) DO NOTHING RETURNING app
            """, [alarm.app.environment.rawValue, alarm.since.millisecondsSince1970, alarm.app.topic])
        guard let new else { return }
        session.emit(
            .sendingStopped, of: AppNumber(rawValue: try new["app"]),
            FeedDetails(
                reason: alarm.trouble.reason, detail: alarm.trouble.advice, environment: alarm.app.environment))
    }

    /// Stores that an app's messages are sent again, and tells it to the app's feed.
    func end(_ app: AppID) throws {
        let known = try row(
            """
            DELETE FROM alarms WHERE environment = ? AND app = (SELECT number FROM apps WHERE topic = ?) RETURNING app
            """, [app.environment.rawValue, app.topic])
        guard let known else { return }
        session.emit(
            .sendingResumed, of: AppNumber(rawValue: try known["app"]), FeedDetails(environment: app.environment))
    }

    /// Deletes the alarms of an app that is removed.
    func delete(of app: AppNumber) throws { try execute("DELETE FROM alarms WHERE app = ?", [app.rawValue]) }
}
