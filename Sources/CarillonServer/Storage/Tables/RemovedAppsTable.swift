import CarillonCore

/// Reads and writes the table `removed_apps`: apps that were removed and whose rows are not all deleted yet.
///
/// A removed app has no row in `apps`, so no query that joins `apps` finds it. Senders skip the channels of the apps in this table.
struct RemovedAppsTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table.
    ///
    /// - `removed_apps.app`: the number that the app had in `apps`, which no other app ever gets.
    static let creation = """
        CREATE TABLE removed_apps (
            app INTEGER PRIMARY KEY,
            topic TEXT NOT NULL,
            removed INTEGER NOT NULL
        ) STRICT;
        """

    func add(_ app: AppReference) throws {
        try execute(
            "INSERT INTO removed_apps (app, topic, removed) VALUES (?, ?, ?)",
            [app.number.rawValue, app.topic, now.millisecondsSince1970])
        session.cache.removedApps = nil
    }

    /// Returns the removed apps whose rows are not all deleted, in the order of their numbers.
    func all() throws -> [RemovedApp] {
        try rows("SELECT app, topic, removed FROM removed_apps ORDER BY app").map {
            RemovedApp(reference: try $0.app("app", "topic"), removed: try $0.requiredTimestamp("removed"))
        }
    }

    /// Returns the numbers of the removed apps whose rows are not all deleted.
    func numbers() throws -> Set<Int64> {
        if let known = session.cache.removedApps { return known }
        let numbers = try Set(rows(Self.numbers).map { try $0["app"] as Int64 })
        session.cache.removedApps = numbers
        return numbers
    }

    /// The query of ``numbers()``.
    static let numbers = SQLStatement(sql: "SELECT app FROM removed_apps")

    /// Records that all rows of a removed app are deleted.
    ///
    /// - Returns: whether this call has recorded it; false if an earlier one has.
    func end(_ app: AppNumber) throws -> Bool {
        session.cache.removedApps = nil
        return try changes("DELETE FROM removed_apps WHERE app = ?", [app.rawValue]) > 0
    }
}
