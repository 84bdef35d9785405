import CarillonCore
import GRDB

/// Work in steps: no transaction grows with an audience, and what a crash interrupts goes on.
extension SQLiteTransaction {
    /// Goes on with what is left, the oldest first, and begins what falls due, as far as this transaction has room.
    ///
    /// - Returns: how many devices it has dealt with.
    mutating func goOn() throws -> Int {
        let before = room
        while room > 0, var work = try nextWork() { try goOn(with: &work) }
        return before - room
    }

    /// When something is to be begun or gone on with; `nil` when there is nothing.
    func nextWorkDue() throws -> Timestamp? {
        if try integer("SELECT EXISTS (SELECT 1 FROM work)") > 0 { return now }
        return try row("SELECT min(expires) AS expires FROM messages WHERE expires IS NOT NULL")?.timestamp("expires")
    }

    private mutating func nextWork() throws -> StepwiseWork? {
        if let row = try row("SELECT * FROM work ORDER BY number LIMIT 1") {
            return StepwiseWork(
                number: row["number"], kind: try row.choice("kind"), message: row["message"], position: row["position"])
        }
        let ended = try row(
            "SELECT number FROM messages WHERE expires <= ? ORDER BY expires, number LIMIT 1",
            [now.millisecondsSince1970])
        guard let number: Int64 = ended?["number"] else { return nil }
        try execute("UPDATE messages SET expires = NULL WHERE number = ?", [number])
        return StepwiseWork(kind: .end, message: number)
    }

    private mutating func goOn(with work: inout StepwiseWork) throws {
        let isDone = try step(&work)
        if isDone {
            try execute("DELETE FROM work WHERE number = ?", [work.number])
        } else if let number = work.number {
            try execute("UPDATE work SET position = ? WHERE number = ?", [work.position, number])
        } else {
            try execute(
                "INSERT INTO work (kind, message, position) VALUES (?, ?, ?)",
                [work.kind.rawValue, work.message, work.position])
            work.number = db.lastInsertedRowID
        }
    }

    /// - Returns: whether nothing is left.
    private mutating func step(_ work: inout StepwiseWork) throws -> Bool {
        let limit = room
        let deliveries = try deliveries(
            where: "show.message = ? AND show.device > ? ORDER BY show.device LIMIT ?",
            [work.message, work.position, limit])
        for var delivery in deliveries {
            try receive(.ended, for: &delivery)
            if let user = try row("SELECT app, user FROM devices WHERE id = ?", [delivery.device])?.user() {
                try queueBadge(for: user, except: nil)
            }
            work.position = delivery.device
        }
        room -= max(1, deliveries.count)
        return deliveries.count < limit
    }
}
