import CarillonCore
import Foundation

/// Reads and writes the feeds of apps: the tables `feeds` and `feed`.
struct FeedTable: StoreTable {
    let session: StoreSession

    /// The feed of an app that was read at least once.
    struct Feed {
        /// The time until which the app's events are written.
        let until: Timestamp
        /// The number of the first row from which on the feed is complete.
        let first: Int64
        /// The time of that row.
        let since: Timestamp
    }

    func feed(of app: AppNumber) throws -> Feed? {
        try row("SELECT until, first, since FROM feeds WHERE app = ?", [app.rawValue]).map {
            Feed(
                until: try $0.requiredTimestamp("until"), first: try $0["first"],
                since: try $0.requiredTimestamp("since"))
        }
    }

    /// Sees to it that an app's events are written until a time.
    ///
    /// If nobody has read the feed for so long that events are missing, the feed begins anew.
    ///
    /// - Throws: ``ServiceError`` if the app was removed, and the errors of the database.
    func keepOpen(_ app: AppNumber, until: Timestamp) throws {
        session.openFeeds = nil
        if let feed = try feed(of: app), feed.until > now {
            guard feed.until < until else { return }
            return try execute(
                "UPDATE feeds SET until = ? WHERE app = ?", [until.millisecondsSince1970, app.rawValue])
        }
        try AppsTable(session).require(app)
        // The row takes a number that no cursor of an earlier period lies behind, so that those are recognized as too old.
        let number = try insertNumbered(
            "INSERT INTO feed (app, written, type) VALUES (?, ?, ?)",
            [app.rawValue, now.millisecondsSince1970, Self.beginning])
        try execute(
            """
            INSERT INTO feeds (app, until, first, since) VALUES (?, ?, ?, ?)
            ON CONFLICT (app) DO UPDATE SET until = excluded.until, first = excluded.first, since = excluded.since
            """,
            [
                app.rawValue, until.millisecondsSince1970, try number.map { $0 + 1 } ?? notWritten("feed"),
                now.millisecondsSince1970,
            ])
    }

    /// The type of the row with which a feed begins; readers do not get it.
    private static let beginning = "feed.began"

    /// Ends the writing of an app's events at a time, because nobody keeps the feed open for ever any more.
    func close(_ app: AppNumber, at end: Timestamp) throws {
        session.openFeeds = nil
        try execute("UPDATE feeds SET until = ? WHERE app = ?", [end.millisecondsSince1970, app.rawValue])
    }

    // MARK: Writing

    private var openFeeds: SQLStatement {
        SQLStatement(sql: "SELECT app FROM feeds WHERE until > ?", arguments: [now.millisecondsSince1970])
    }

    /// Asks PostgreSQL for the open feeds when a call begins, so that ``record(_:)`` need not wait for them.
    func foreseeOpen() throws {
        guard session.foresees else { return }
        session.openFeeds = try connection.later(openFeeds.sql, openFeeds.arguments)
    }

    /// Writes to the feeds what has happened, for those apps whose feeds are open.
    ///
    /// - Returns: the apps whose feeds have new rows.
    func record(_ notes: [FeedNote]) throws -> Set<AppNumber> {
        let open = try session.openFeeds?.rows() ?? rows(openFeeds)
        let readers = Set(try open.map { AppNumber(rawValue: try $0["app"]) })
        guard !readers.isEmpty else { return [] }
        let (messages, devices) = (try Self.messages(in: notes, dialect), try Self.devices(in: notes, dialect))
        let finishing = MessagesTable(session).finishing(session.maybeFinished, in: readers)
        try foresee([messages, devices, finishing].compactMap(\.self))
        let apps = try apps(of: messages)
        let people = try people(of: devices)
        var told: [AppNumber: [FeedNote]] = [:]
        for note in notes {
            guard let app = Self.app(of: note, apps), readers.contains(app) else { continue }
            told[app, default: []].append(note)
        }
        for (app, note) in try MessagesTable(session).finished(finishing) { told[app, default: []].append(note) }
        for (app, notes) in told {
            let named = people.named(in: notes)
            let numbers =
                named.isEmpty
                ? [:] : try FeedUsersTable(session).numbers(of: named, knowing: people.entries, in: app)
            for row in FeedRow.rows(of: notes, at: now, users: people.users, numbers: numbers) {
                try insert(row, of: app)
            }
        }
        return Set(told.keys)
    }

    private static func app(of note: FeedNote, _ apps: [Int64: AppNumber]) -> AppNumber? {
        switch note {
        case .timeline(_, let message): apps[message]
        case .accepted(_, let app, _): app
        case .message(_, let message), .finished(let message, _): message.app
        case .app(_, let app, _): app
        case .device(_, _, let app, _, _): app
        }
    }

    private func insert(_ row: FeedRow, of app: AppNumber) throws {
        switch row {
        case .events(let lines):
            try execute(
                "INSERT INTO feed (app, written, type, events) VALUES (?, ?, ?, ?)",
                [
                    app.rawValue, now.millisecondsSince1970, FeedRow.severalEvents,
                    lines.map(\.text).joined(separator: "\n"),
                ])
        case .broadcast(let batch, let at, let first, let places):
            try execute(
                """
                INSERT INTO feed (app, written, type, at, message, details, first, places)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    app.rawValue, now.millisecondsSince1970, batch.type.rawValue, at.millisecondsSince1970,
                    batch.message.rawValue, batch.details.json, first, places.encoded,
                ])
        case .personal(let type, let facts, let user):
            try execute(
                """
                INSERT INTO feed (app, written, type, at, message, device, user, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    app.rawValue, now.millisecondsSince1970, type.rawValue, facts.at.millisecondsSince1970,
                    facts.message?.rawValue, facts.device, user, facts.details.json,
                ])
        }
    }

    /// Returns the query for the apps of the messages that notes are about; `nil` if they are about none.
    private static func messages(in notes: [FeedNote], _ dialect: SQLDialect) throws -> SQLStatement? {
        let numbers = Set(notes.compactMap { if case .timeline(_, let message) = $0 { message } else { nil } })
        guard !numbers.isEmpty else { return nil }
        return SQLStatement(
            sql: "SELECT number, app FROM messages WHERE \(dialect.isAmongIntegers("number"))",
            arguments: [integers(numbers.sorted())])
    }

    /// Returns the query for the users of the devices that notes are about; `nil` if they are about none.
    private static func devices(in notes: [FeedNote], _ dialect: SQLDialect) throws -> SQLStatement? {
        let ids = Set(notes.compactMap { if case .timeline(let event, _) = $0 { event.device } else { nil } })
        guard !ids.isEmpty else { return nil }
        return SQLStatement(
            sql: """
                SELECT devices.id, devices.user, feed_users.number, feed_users.used
                FROM devices LEFT JOIN feed_users ON feed_users.app = devices.app AND feed_users.user = devices.user
                WHERE devices.user IS NOT NULL AND \(dialect.isAmongTexts("devices.id"))
                """,
            arguments: [try json(ids.sorted())])
    }

    private func apps(of messages: SQLStatement?) throws -> [Int64: AppNumber] {
        try messages.map { try rows($0) }?.reduce(into: [:]) { apps, row in
            apps[try row["number"]] = AppNumber(rawValue: try row["app"])
        } ?? [:]
    }

    /// The users of devices, and what is known of their numbers.
    private struct People {
        /// The users, by the devices' ids.
        var users: [String: String] = [:]
        /// The numbers, by the users' ids.
        var entries: [String: FeedUsersTable.Entry] = [:]

        /// Returns the users whom the events of notes name by numbers.
        func named(in notes: [FeedNote]) -> Set<String> {
            Set(
                notes.compactMap { note in
                    switch note {
                    case .timeline(let event, _): users[event.device]
                    case .device(_, _, _, let user, _): user
                    default: nil
                    }
                })
        }
    }

    private func people(of devices: SQLStatement?) throws -> People {
        var people = People()
        for row in try devices.map({ try rows($0) }) ?? [] {
            let user: String = try row["user"]
            people.users[try row["id"]] = user
            guard let number: Int64 = row["number"] else { continue }
            people.entries[user] = FeedUsersTable.Entry(number: number, used: try row.requiredTimestamp("used"))
        }
        return people
    }

    // MARK: Reading

    /// Returns the position after the newest event of an app.
    func end(of app: AppNumber, _ feed: Feed) throws -> FeedPosition {
        let newest = try integer("SELECT coalesce(max(number), 0) FROM feed WHERE app = ?", [app.rawValue])
        return FeedPosition(number: max(Int64(newest) + 1, feed.first))
    }

    /// Returns the position before the first event that was written at or after a time.
    func position(since moment: Timestamp, of app: AppNumber, _ feed: Feed) throws -> FeedPosition {
        var range = try feed.first..<end(of: app, feed).number
        // Rows are many, and their times are nearly in order: a clock that was set back only moves the position.
        while !range.isEmpty {
            let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
            let next = try row(
                "SELECT number, written FROM feed WHERE app = ? AND number >= ? ORDER BY number LIMIT 1",
                [app.rawValue, middle])
            let isLater = try next.map { try $0.requiredTimestamp("written") >= moment } ?? true
            range =
                isLater
                ? range.lowerBound..<middle : (try next.map { try $0["number"] } ?? middle) + 1..<range.upperBound
        }
        return FeedPosition(number: range.lowerBound)
    }

    /// Returns the events between two positions in an app's feed.
    ///
    /// A call looks at a bounded number of rows, so a page without events need not be the last.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - start: the position at which the page begins.
    ///   - end: the position at which the page ends at the latest; `nil` for the newest event.
    ///   - selection: the events to return.
    ///   - limit: the greatest number of events.
    /// - Returns: the page.
    /// - Throws: the errors of the database.
    func page(
        of app: AppNumber, after start: FeedPosition, upTo end: FeedPosition? = nil, _ selection: FeedSelection,
        limit: Int
    ) throws -> FeedPage {
        var reading = FeedReader(start: start, end: end, limit: limit)
        var (room, asked) = (StoreLimits.feedRowsPerPage, min(limit + 1, FeedReader.rowsAtFirst))
        while true {
            asked = min(asked, room)
            let rows = try rows(
                "SELECT * FROM feed WHERE app = ? AND number >= ? AND number <= ? ORDER BY number LIMIT ?",
                [app.rawValue, reading.page.next.number, end?.number ?? Self.lastNumber, asked])
            for row in rows {
                guard reading.take(from: try row["number"], try entries(of: row, selection)) else {
                    return try named(reading)
                }
            }
            room -= rows.count
            guard rows.count == asked, room > 0, !reading.isFull else {
                reading.page.isLast = rows.count < asked
                return try named(reading)
            }
            asked = reading.rowsToAsk
        }
    }

    /// Fills in the users whom the events of a page name by numbers.
    private func named(_ reading: FeedReader) throws -> FeedPage {
        var page = reading.page
        let users = try FeedUsersTable(session).users(numbered: Set(reading.users.values))
        for (index, number) in reading.users { page.events[index].user = users[number] }
        return page
    }

    /// The greatest number that a row may have.
    private static let lastNumber: Int64 = 1 << 48

    /// Returns the events of a row, in their order; `nil` for each that a reader does not want.
    private func entries(of row: SQLRow, _ selection: FeedSelection) throws -> [FeedReader.Entry?] {
        if let text = row.text("events") {
            return FeedLine.lines(of: text).map { line in
                guard let line = FeedLine(line), selection.wants(line) else { return nil }
                return FeedReader.Entry(
                    type: line.type, user: line.user.map(FeedReader.User.numbered), facts: line.facts)
            }
        }
        // Skips the row with which a feed begins, and types of a newer version.
        guard let type = row.text("type").flatMap(FeedEventType.init(rawValue:)),
            selection.types?.contains(type) ?? true
        else { return [] }
        var facts = FeedFacts(
            at: try row.requiredTimestamp("at"), message: try row.text("message").map { try MessageID($0) },
            device: row.text("device"), details: try row.details("details") ?? FeedDetails())
        if !selection.hasTexts { facts.details.reply = nil }
        guard let places = (row["places"] as Data?).flatMap({ DeviceSet(encoded: $0) }) else {
            return [
                FeedReader.Entry(type: type, user: row.text("user").map(FeedReader.User.named), facts: facts.json)
            ]
        }
        let first: Int64 = try row["first"]
        let ordinals = places.places().map { first + Int64($0) }
        let devices = try devices(at: ordinals, of: AppNumber(rawValue: try row["app"]))
        return ordinals.map { ordinal in
            var one = facts
            one.device = devices[ordinal]
            if let device = one.device { one.details.apnsID = Self.apnsID(of: one, on: device) }
            return FeedReader.Entry(type: type, user: nil, facts: one.json)
        }
    }

    /// Returns the `apns-id` of a broadcast's push, which the row of many pushes does not have.
    private static func apnsID(of facts: FeedFacts, on device: String) -> String? {
        guard let message = facts.message, let purpose = facts.details.purpose else { return nil }
        return PushIdentifier.uuid(
            message: message.rawValue, device: device, purpose: purpose, revision: facts.details.revision ?? 1
        ).lowercased
    }

    private func devices(at ordinals: [Int64], of app: AppNumber) throws -> [Int64: String] {
        let found = try rows(
            "SELECT ordinal, id FROM devices WHERE app = ? AND \(dialect.isAmongIntegers("ordinal"))",
            [app.rawValue, Self.integers(ordinals)])
        return try found.reduce(into: [:]) { $0[try $1["ordinal"]] = try $1["id"] as String }
    }

    // MARK: Deleting

    /// Returns all apps whose feeds were ever read.
    func apps() throws -> [AppNumber] {
        try rows("SELECT app FROM feeds ORDER BY app").map { AppNumber(rawValue: try $0["app"]) }
    }

    /// Deletes at most `limit` of an app's oldest rows, those that were written before a time, and numbers of users that no
    /// other row has.
    ///
    /// - Returns: the number of deleted rows with events.
    func purge(_ app: AppNumber, before moment: Timestamp, limit: Int) throws -> Int {
        try FeedUsersTable(session).purge(app, unusedSince: moment, limit: limit)
        let oldest = try rows(
            "SELECT number, written FROM feed WHERE app = ? ORDER BY number LIMIT ?", [app.rawValue, limit])
        let old = try oldest.prefix { try $0.requiredTimestamp("written") < moment }
        guard let last: Int64 = old.last?["number"] else { return 0 }
        try execute("DELETE FROM feed WHERE app = ? AND number <= ?", [app.rawValue, last])
        try execute(
            "UPDATE feeds SET first = ?, since = ? WHERE app = ? AND first <= ?",
            [last + 1, moment.millisecondsSince1970, app.rawValue, last])
        return old.count
    }

    /// Erases a user from all events, and from at most `limit` rows what the user chose or typed.
    ///
    /// - Returns: the number of changed rows with events.
    func forget(_ user: UserReference, limit: Int) throws -> Int {
        try FeedUsersTable(session).forget(user)
        return try changes(
            """
            UPDATE feed SET user = NULL, details = NULL
            WHERE number IN (SELECT number FROM feed WHERE app = ? AND user = ? LIMIT ?)
            """, [user.app.rawValue, user.id, limit])
    }

    /// Ends the feed of an app that is removed.
    func end(_ app: AppNumber) throws {
        session.openFeeds = nil
        try execute("DELETE FROM feeds WHERE app = ?", [app.rawValue])
    }

    /// Deletes at most `limit` rows of a removed app, and returns their number.
    func deleteRows(of app: AppNumber, limit: Int) throws -> Int {
        try changes(
            "DELETE FROM feed WHERE number IN (SELECT number FROM feed WHERE app = ? LIMIT ?)", [app.rawValue, limit])
            + FeedUsersTable(session).deleteRows(of: app, limit: limit)
    }
}

extension SQLRow {
    /// Returns the facts in a column that stores them as JSON; `nil` if the column is NULL.
    fileprivate func details(_ column: String) throws -> FeedDetails? {
        guard let text = text(column) else { return nil }
        guard let details = (try? JSONValue(parsing: text)).flatMap({ FeedDetails($0) }) else {
            throw unreadable(column)
        }
        return details
    }
}
