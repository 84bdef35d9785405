import CarillonCore

/// Reads and writes the numbers by which feeds name users: the table `feed_users`.
///
/// Many events name one user. Without the row with the number, nobody can say any more whom they name, so an erasure deletes one
/// row and no events.
struct FeedUsersTable: StoreTable {
    let session: StoreSession

    /// A user's number, and the time at which it was last noted that events use it.
    struct Entry {
        let number: Int64
        let used: Timestamp
    }

    /// Returns the numbers of users of an app; gives numbers to those that have none.
    ///
    /// - Parameters:
    ///   - users: the users' ids.
    ///   - known: the entries of users that the caller has read already.
    ///   - app: the app.
    /// - Returns: the numbers, by the users' ids.
    /// - Throws: the errors of the database.
    func numbers(of users: Set<String>, knowing known: [String: Entry], in app: AppNumber) throws -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for (user, entry) in known where now - entry.used < StoreLimits.feedUserNoted { numbers[user] = entry.number }
        let others = users.filter { numbers[$0] == nil }
        guard !others.isEmpty else { return numbers }
        let written = try rows(
            """
            INSERT INTO feed_users (app, user, used) SELECT ?, value, ? FROM \(dialect.textsOfJSON) AS named WHERE true
            ON CONFLICT (app, user) DO UPDATE SET used = excluded.used RETURNING number, user
            """, [app.rawValue, now.millisecondsSince1970, try Self.json(others.sorted())])
        for row in written { numbers[try row["user"]] = try row["number"] as Int64 }
        return numbers
    }

    /// Returns the users with these numbers; a user who was erased is not among them.
    func users(numbered numbers: Set<Int64>) throws -> [Int64: String] {
        guard !numbers.isEmpty else { return [:] }
        return try rows(
            "SELECT number, user FROM feed_users WHERE \(dialect.isAmongIntegers("number"))",
            [Self.integers(numbers.sorted())]
        ).reduce(into: [:]) { $0[try $1["number"]] = try $1["user"] as String }
    }

    /// Forgets whom the events of a user name.
    func forget(_ user: UserReference) throws {
        try execute("DELETE FROM feed_users WHERE app = ? AND user = ?", [user.app.rawValue, user.id])
    }

    /// Deletes at most `limit` numbers of an app that no event written at or after a time uses.
    func purge(_ app: AppNumber, unusedSince moment: Timestamp, limit: Int) throws {
        let last = moment - StoreLimits.feedUserNoted
        try execute(
            "DELETE FROM feed_users WHERE number IN (SELECT number FROM feed_users WHERE app = ? AND used < ? LIMIT ?)",
            [app.rawValue, last.millisecondsSince1970, limit])
    }

    /// Deletes at most `limit` rows of a removed app, and returns their number.
    func deleteRows(of app: AppNumber, limit: Int) throws -> Int {
        try changes(
            "DELETE FROM feed_users WHERE number IN (SELECT number FROM feed_users WHERE app = ? LIMIT ?)",
            [app.rawValue, limit])
    }
}
