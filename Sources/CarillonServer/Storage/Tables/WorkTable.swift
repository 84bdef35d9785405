import CarillonCore
import Foundation

/// Reads and writes the table `work`: the store's unfinished tasks (``StepwiseWork``).
struct WorkTable: StoreTable {
    let session: StoreSession

    /// The statements that create the table.
    static let creation = """
        CREATE TABLE work (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            message INTEGER,
            state TEXT NOT NULL,
            problem TEXT,
            due INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX work_of_message ON work (message);
        CREATE INDEX work_due ON work (due, number);
        """

    func insert(_ work: StepwiseWork) throws -> Int64 {
        let number = try insertNumbered(Self.insertWork, values(of: work, due: 0))
        return try number ?? notWritten("work")
    }

    func schedule(_ work: StepwiseWork, due: Int64) throws { try execute(Self.insertWork, values(of: work, due: due)) }

    private static let insertWork = "INSERT INTO work (kind, message, state, due) VALUES (?, ?, ?, ?)"

    private func values(of work: StepwiseWork, due: Int64) throws -> SQLArguments {
        [work.kind, work.message, try Self.text(work), due]
    }

    /// The query for the row of the task that has been due longest.
    var oldestDue: SQLStatement {
        SQLStatement(sql: "\(Self.open) ORDER BY due, number LIMIT 1", arguments: [now.millisecondsSince1970])
    }

    /// Returns the row of the task with this number; `nil` if there is no such task or it is not due.
    func due(_ number: Int64) throws -> SQLRow? {
        try row("\(Self.open) AND number = ?", [now.millisecondsSince1970, number])
    }

    /// Returns the earliest time at which an unfinished task falls due, or now if one is overdue; `nil` if no task waits.
    func nextDue() throws -> Timestamp? {
        try row(Self.nextDue)?.timestamp("due").map { max($0, now) }
    }

    /// The query of ``nextDue()``.
    static let nextDue = SQLStatement(sql: "\(open) ORDER BY due LIMIT 1", arguments: [never - 1])

    func keep(_ work: StepwiseWork, _ number: Int64) throws {
        try execute("UPDATE work SET state = ? WHERE number = ?", [try Self.text(work), number])
    }

    func delete(_ number: Int64) throws { try execute("DELETE FROM work WHERE number = ?", [number]) }

    /// Sets aside a task that cannot be decoded, so that senders skip the task until an operator acts.
    func setAside(_ number: Int64, because error: any Error) throws {
        try execute("UPDATE work SET problem = ? WHERE number = ?", ["\(error)", number])
    }

    /// Lets senders continue all tasks that are set aside.
    ///
    /// A task is set aside, and senders skip it, if it cannot be decoded.
    ///
    /// - Returns: the number of these tasks.
    func retrySetAside() throws -> Int {
        try changes("UPDATE work SET problem = NULL WHERE problem IS NOT NULL")
    }

    /// The value of the column `due` for a task that is held because its message is paused: the greatest 64-bit integer.
    static let never = Int64.max

    /// The SQL query for the tasks that are due at a given time, except erasures of users.
    ///
    /// The caller can append a further condition or an order to the query.
    private static let open =
        "SELECT number, state, due FROM work WHERE kind <> '\(StepwiseWork.erasure)' AND problem IS NULL AND due <= ?"

    private static func text(_ work: StepwiseWork) throws -> String {
        String(decoding: try CarillonJSON.encode(work), as: UTF8.self)
    }

    /// Returns whether a task like this one waits, and has performed no step yet.
    func waits(_ work: StepwiseWork) throws -> Bool {
        try row(
            "SELECT 1 AS found FROM work WHERE message IS NULL AND kind = ? AND state = ? AND problem IS NULL LIMIT 1",
            [work.kind, try Self.text(work)]) != nil
    }

    /// Returns the unfinished tasks that reload an app's widgets or controls.
    func reloads(of app: AppNumber) throws -> [(number: Int64, work: StepwiseWork)] {
        try rows(
            "SELECT number, state FROM work WHERE message IS NULL AND kind = ? AND problem IS NULL ORDER BY number",
            [StepwiseWork.reloading]
        ).compactMap { row in
            let state: String = try row["state"]
            guard let work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8)),
                case .reload(let reloading) = work.task, reloading.app == app.rawValue
            else { return nil }
            return (try row["number"], work)
        }
    }

    // MARK: Work on one message

    /// Deletes all unfinished tasks that concern a message.
    func drop(on message: Int64) throws { try execute("DELETE FROM work WHERE message = ?", [message]) }

    /// Deletes the unfinished task that finds the recipients of a message, because the message is cancelled.
    func dropAddressing(of message: Int64) throws {
        try execute("DELETE FROM work WHERE message = ? AND kind = ?", [message, StepwiseWork.addressing])
    }

    /// Deletes the unfinished task that pauses or resumes a message.
    func dropSteering(of message: Int64) throws {
        try execute("DELETE FROM work WHERE message = ? AND kind IN ('hold', 'let-go')", [message])
    }

    /// Makes a message's held pushes be let go at the time `due`, unless that happens earlier.
    func wake(_ message: Int64, at due: Timestamp) throws {
        let work = StepwiseWork(.letGo(message: message))
        let known = try row("SELECT min(due) AS due FROM work WHERE message = ? AND kind = ?", [message, work.kind])
        guard let earliest = known?.timestamp("due") else {
            return try schedule(work, due: due.millisecondsSince1970)
        }
        guard due < earliest else { return }
        try execute(
            "UPDATE work SET due = ? WHERE message = ? AND kind = ?",
            [due.millisecondsSince1970, message, work.kind])
    }

    /// Holds the task that finds the recipients of a message.
    ///
    /// If `hold` is false, the task becomes due at the message's scheduled time, or at once.
    func hold(_ message: Int64, _ hold: Bool) throws {
        if hold {
            try execute(
                "UPDATE work SET due = ? WHERE message = ? AND kind = ?",
                [Self.never, message, StepwiseWork.addressing])
        } else {
            try execute(
                """
                UPDATE work SET due = coalesce((SELECT send_at FROM messages WHERE number = work.message), 0)
                WHERE message = ? AND kind = ?
                """, [message, StepwiseWork.addressing])
        }
    }

    // MARK: Removed apps

    /// Returns the tasks with greater numbers than `number`, each with the number of its app, in the order of their numbers.
    ///
    /// The app is `nil` if the task belongs to a message or device that does not exist any more. The result has at most `limit`
    /// tasks.
    func tasks(after number: Int64, limit: Int) throws -> [(number: Int64, app: Int64?)] {
        try rows(
            """
            SELECT work.number, messages.app, CASE WHEN work.message IS NULL THEN work.state END AS state
            FROM work LEFT JOIN messages ON messages.number = work.message
            WHERE work.number > ? ORDER BY work.number LIMIT ?
            """, [number, limit]
        ).map { row in
            let state = row.text("state").flatMap {
                try? CarillonJSON.decode(StepwiseWork.self, from: Data($0.utf8))
            }
            return try (row["number"], row["app"] ?? state.flatMap { try app(of: $0.task) })
        }
    }

    /// Returns the number of the app of a task that is not about one message; `nil` if the task's device does not exist any more.
    private func app(of task: StepwiseWork.Task) throws -> Int64? {
        switch task {
        case .read(let reading): reading.app
        case .erase(let app, _): app
        case .follow(let following), .tokens(let following): following.app
        case .reload(let reloading): reloading.app
        case .signOut(let signingOut): try row("SELECT app FROM devices WHERE id = ?", [signingOut.device])?["app"]
        case .accept, .hold, .letGo, .cancel, .recall, .end: nil
        }
    }

    // MARK: Erasures

    /// Returns the numbers of the tasks whose named recipients may include a user.
    ///
    /// The function looks through the tasks of all apps, so it is for a reading transaction.
    func addressing(naming user: UserReference) throws -> [Int64] {
        let name = String(decoding: try CarillonJSON.encode(user.id), as: UTF8.self)
        return try rows(
            "SELECT number FROM work WHERE kind IN (?, ?) AND \(dialect.position)(state, ?) > 0 ORDER BY number",
            [StepwiseWork.addressing, StepwiseWork.reloading, name]
        ).map { try $0["number"] }
    }

    /// Removes a user from the named recipients of messages that are scheduled, or whose recipients' devices are still being
    /// looked up.
    ///
    /// The user's id becomes an empty text in the stored list of recipients, so that the other users keep their positions in it.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - numbers: the numbers of the tasks, from ``addressing(naming:)``.
    /// - Throws: the errors of the database.
    func leaveOut(_ user: UserReference, of numbers: [Int64]) throws {
        for number in numbers {
            guard let row = try row("SELECT state FROM work WHERE number = ?", [number]) else { continue }
            let state: String = try row["state"]
            guard var work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8)) else { continue }
            switch work.task {
            case .accept(var addressing) where addressing.app == user.app.rawValue:
                addressing.recipients.leaveOut(user.id)
                work.task = .accept(addressing)
            case .reload(var reloading) where reloading.app == user.app.rawValue:
                reloading.recipients.leaveOut(user.id)
                work.task = .reload(reloading)
            default: continue
            }
            try keep(work, number)
        }
    }

    func noteErasure(of user: UserReference) throws -> Bool {
        guard try !unfinishedErasures().contains(user) else { return false }
        let work = StepwiseWork(.erase(app: user.app.rawValue, user: user.id))
        try execute(
            "INSERT INTO work (kind, state) VALUES (?, ?)",
            [work.kind, String(decoding: try CarillonJSON.encode(work), as: UTF8.self)])
        return true
    }

    func unfinishedErasures() throws -> [UserReference] {
        try rows("SELECT state FROM work WHERE kind = ?", [StepwiseWork.erasure]).compactMap { row in
            let state: String = try row["state"]
            let work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            guard case .erase(let app, let user) = work?.task else { return nil }
            return UserReference(user, of: AppNumber(rawValue: app))
        }
    }

    /// Deletes the task that records a user's unfinished erasure, because the erasure is complete.
    func endErasure(of user: UserReference) throws {
        for row in try rows("SELECT number, state FROM work WHERE kind = ?", [StepwiseWork.erasure]) {
            let state: String = try row["state"]
            let work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            guard case .erase(let app, let name) = work?.task, app == user.app.rawValue, name == user.id else {
                continue
            }
            try delete(row["number"] as Int64)
        }
    }
}

extension StepwiseWork.Addressing.Recipients {
    /// Replaces a user's id by an empty text, so that the other users keep their positions.
    fileprivate mutating func leaveOut(_ user: String) {
        guard case .users(let users) = self else { return }
        self = .users(users.map { UserID.isEqual($0, user) ? "" : $0 })
    }
}
