import CarillonCore

/// Reads and writes the figures of apps, campaigns and messages: the table `figures`.
struct FiguresTable: StoreTable {
    let session: StoreSession

    /// The rows of a question: those of an app, of one of its campaigns, or of a message.
    struct Scope {
        let app: AppNumber
        /// The message's number; 0 for none.
        var message: Int64 = 0
        /// The campaign; empty for none.
        var campaign = ""
    }

    /// Adds counts to the figures of today: to the message's, to its campaign's, and to its app's.
    ///
    /// One statement adds all, and finds the messages' apps and campaigns.
    func add(_ tally: FigureTally) throws {
        try execute(
            """
            WITH counted AS (SELECT app, message, name, count FROM \(dialect.countsOfJSON) AS listed)
            INSERT INTO figures (message, app, campaign, day, name, count)
            SELECT scoped.message, scoped.app, scoped.campaign, CAST(? AS BIGINT), scoped.name, sum(scoped.count) FROM (
                SELECT CASE scopes.kind WHEN 1 THEN messages.number ELSE 0 END AS message,
                    coalesce(messages.app, counted.app) AS app,
                    CASE scopes.kind WHEN 2 THEN messages.campaign ELSE '' END AS campaign,
                    counted.name AS name, counted.count AS count
                FROM counted LEFT JOIN messages ON messages.number = counted.message
                JOIN (SELECT 0 AS kind UNION ALL SELECT 1 UNION ALL SELECT 2) AS scopes
                    ON scopes.kind = 0 OR scopes.kind = 1 AND messages.number IS NOT NULL
                        OR scopes.kind = 2 AND messages.campaign IS NOT NULL
                WHERE coalesce(messages.app, counted.app) > 0) AS scoped
            GROUP BY scoped.message, scoped.app, scoped.campaign, scoped.name
            ON CONFLICT (message, app, campaign, day, name) DO UPDATE SET count = figures.count + excluded.count
            """, [try Self.json(tally.lines), FigureDay(now).number])
    }

    /// Returns the counts of a scope on the days of a range, in the order of the days.
    func counts(of scope: Scope, on days: ClosedRange<FigureDay>) throws -> [FigureCount] {
        try rows(
            """
            SELECT day, name, count FROM figures WHERE message = ? AND app = ? AND campaign = ? AND day >= ? AND day <= ?
            ORDER BY day
            """,
            [scope.message, scope.app.rawValue, scope.campaign, days.lowerBound.number, days.upperBound.number]
        ).map { FigureCount(day: FigureDay(number: try $0["day"]), name: try $0["name"], count: try $0["count"]) }
    }

    /// Returns the counts of an app's campaigns over the days of a range, in the order of the campaigns.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - days: the days.
    ///   - campaign: the campaign after which the result begins; empty to begin with the first.
    ///   - limit: the greatest number of campaigns.
    /// - Returns: the counts, by campaign.
    /// - Throws: the errors of the database.
    func campaigns(
        of app: AppNumber, on days: ClosedRange<FigureDay>, after campaign: String, limit: Int
    ) throws -> [(campaign: String, counts: [FigureCount])] {
        let range: SQLArguments = [days.lowerBound.number, days.upperBound.number]
        let found = try rows(
            """
            SELECT campaign, name, CAST(sum(count) AS BIGINT) AS count FROM figures
            WHERE message = 0 AND app = ? AND day >= ? AND day <= ? AND campaign IN (
                SELECT DISTINCT campaign FROM figures
                WHERE message = 0 AND app = ? AND campaign > ? AND day >= ? AND day <= ? ORDER BY campaign LIMIT ?)
            GROUP BY campaign, name ORDER BY campaign, name
            """, [app.rawValue] + range + [app.rawValue, campaign] + range + [limit])
        var campaigns: [(campaign: String, counts: [FigureCount])] = []
        for row in found {
            let name: String = try row["campaign"]
            if campaigns.last?.campaign.utf8.elementsEqual(name.utf8) != true { campaigns.append((name, [])) }
            let count = FigureCount(day: days.lowerBound, name: try row["name"], count: try row["count"])
            campaigns[campaigns.count - 1].counts.append(count)
        }
        return campaigns
    }

    // MARK: Deleting

    /// Deletes at most `limit` rows of apps and campaigns that are of days before a day, and returns their number.
    func purge(before day: FigureDay, limit: Int) throws -> Int {
        try deleteRows(where: "message = 0 AND day < ?", [day.number], limit: limit)
    }

    /// Deletes at most `limit` rows of a message, and returns their number.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(where: "message = ?", [message], limit: limit)
    }

    /// Deletes at most `limit` rows of a removed app, and returns their number.
    func deleteRows(of app: AppNumber, limit: Int) throws -> Int {
        try deleteRows(where: "message = 0 AND app = ?", [app.rawValue], limit: limit)
    }

    private func deleteRows(where condition: String, _ arguments: SQLArguments, limit: Int) throws -> Int {
        let key = "message, app, campaign, day, name"
        return try changes(
            "DELETE FROM figures WHERE (\(key)) IN (SELECT \(key) FROM figures WHERE \(condition) LIMIT ?)",
            arguments + [limit])
    }
}

/// A row of the table `figures`: a count of one ``Figure`` on one day.
struct FigureCount: Sendable, Hashable {
    var day: FigureDay
    /// ``Figure/name``, also of a figure that only a newer version knows.
    var name: String
    var count: Int
}
