import CarillonCore
import Foundation

/// Work in steps: no transaction grows with an audience, and what a crash interrupts goes on.
extension StoreTransaction {
    /// Begins a piece of work: what this transaction has room for is done, the rest is written down.
    mutating func begin(_ task: StepwiseWork.Task) throws {
        var work = StepwiseWork(task)
        if room > 0, try goOn(with: &work) { return }
        unfinished.append(try write(work, due: 0))
    }

    /// Writes down a piece of work that a sender begins when its time has come.
    func schedule(_ task: StepwiseWork.Task, at due: Timestamp) throws {
        try write(StepwiseWork(task, phase: StepwiseWork.waitingPhase), due: due.millisecondsSince1970)
    }

    @discardableResult
    private func write(_ work: StepwiseWork, due: Int64) throws -> Int64 {
        let number = try insertNumbered(
            "INSERT INTO work (kind, message, state, due) VALUES (?, ?, ?, ?)",
            [work.kind, work.message, try Self.text(work), due])
        return try number ?? notWritten("work")
    }

    /// Goes on with what is left, the oldest first, and begins what falls due, as far as this transaction has room.
    ///
    /// - Returns: how many devices it has dealt with.
    mutating func goOn() throws -> Int {
        let before = room
        while room > 0 {
            if let row = try row("\(Self.open) ORDER BY due, number LIMIT 1", [now.millisecondsSince1970]) {
                try goOn(withRow: row)
            } else if let message = try nextEnded() {
                try execute("UPDATE messages SET expires = NULL WHERE number = ?", [message])
                try markRange(message, .ended)
                try begin(.end(message: message))
            } else {
                break
            }
        }
        return before - room
    }

    /// Goes on with certain pieces of work, in that order, as far as there is room; what is left is ``unfinished``.
    mutating func goOn(with numbers: [Int64]) throws {
        for number in numbers {
            let row = try row("\(Self.open) AND number = ?", [now.millisecondsSince1970, number])
            guard let row else { continue }
            guard room > 0 else {
                unfinished.append(number)
                continue
            }
            if try !goOn(withRow: row) { unfinished.append(number) }
        }
    }

    /// When something is to be begun or gone on with; `nil` when there is nothing.
    func nextWorkDue() throws -> Timestamp? {
        let work = try row("\(Self.open) ORDER BY due LIMIT 1", [Self.never - 1])?.timestamp("due")
        let end = try row("SELECT min(expires) AS expires FROM messages WHERE expires IS NOT NULL")?.timestamp(
            "expires")
        return [work.map { max($0, now) }, end].compactMap(\.self).min()
    }

    /// The time at which what is paused falls due.
    static let never = Int64.max

    /// Forgets what was to become of a message, because something else is.
    func dropWork(on message: Int64) throws { try execute("DELETE FROM work WHERE message = ?", [message]) }

    /// What can be gone on with at a moment.
    private static let open =
        "SELECT number, state, due FROM work WHERE kind <> '\(StepwiseWork.erasure)' AND problem IS NULL AND due <= ?"

    private func nextEnded() throws -> Int64? {
        try row(
            "SELECT number FROM messages WHERE expires <= ? ORDER BY expires, number LIMIT 1",
            [now.millisecondsSince1970])?["number"]
    }

    private static func text(_ work: StepwiseWork) throws -> String {
        String(decoding: try CarillonJSON.encode(work), as: UTF8.self)
    }

    /// - Returns: whether nothing is left, or nothing can be done about it.
    @discardableResult
    private mutating func goOn(withRow row: SQLRow) throws -> Bool {
        let number: Int64 = row["number"]
        do {
            let state: String = row["state"]
            var work = try CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            let isDone = try goOn(with: &work)
            if isDone {
                try execute("DELETE FROM work WHERE number = ?", [number])
            } else {
                try execute("UPDATE work SET state = ? WHERE number = ?", [try Self.text(work), number])
            }
            return isDone
        } catch let error as any EngineError {
            throw error
        } catch {
            // What cannot be read must not hold up all the rest.
            room -= 1
            try execute("UPDATE work SET problem = ? WHERE number = ?", ["\(error)", number])
            return true
        }
    }

    /// - Returns: whether nothing is left.
    private mutating func goOn(with work: inout StepwiseWork) throws -> Bool {
        var isDone = false
        while !isDone, room > 0 { isDone = try step(&work) }
        return isDone
    }

    private mutating func step(_ work: inout StepwiseWork) throws -> Bool {
        switch work.task {
        case .accept(let addressing): return try stepOrStart(addressing, &work)
        case .hold(let message): return try stepChannels(of: message, hold: true, &work)
        case .letGo(let message): return try stepChannels(of: message, hold: false, &work)
        case .cancel(let message):
            if work.phase == 1 { return try stepChunks(of: message, .cancelled, &work) }
            if work.phase == 2, try !stepUnreached(message, &work) { return false }
            if work.phase > 2 { return try stepRangedInboxes(of: message, &work) }
            if work.phase == 2 {
                work.nextPhase()
                return false
            }
            let event = DeliveryEvent.cancelled(SendingChange.cancellation)
            return try stepDevices(of: message, event, SendingRules(), &work)
        case .recall(let message, let wait):
            let rules = SendingRules(assuredWait: .milliseconds(wait))
            if work.phase == 1 { return try stepChunks(of: message, .recalled, wait: rules.assuredWait, &work) }
            if work.phase == 0 {
                return try stepDevices(of: message, .withdrawn(.recall), rules, &work)
            }
            return try stepAllInboxes(of: message, &work)
        case .end(let message):
            let isRemoved = try integer("SELECT remove_expired FROM messages WHERE number = ?", [message]) > 0
            if work.phase == 0, isRemoved { return try stepDevices(of: message, .ended, SendingRules(), &work) }
            if work.phase == 1, isRemoved { return try stepChunks(of: message, .ended, &work) }
            return isRemoved
                ? try stepAllInboxes(of: message, &work) : try stepInboxes(of: message, queuesBadges: false, &work)
        case .read(var reading):
            defer { work.task = .read(reading) }
            return try step(&reading)
        case .signOut(var signingOut):
            defer { work.task = .signOut(signingOut) }
            return try step(&signingOut)
        case .erase: return true
        }
    }

    // MARK: Steps that several kinds share

    /// Lets the next deliveries of a message receive an event; then come the inboxes.
    private mutating func stepDevices(
        of message: Int64, _ event: DeliveryEvent, _ rules: SendingRules, _ work: inout StepwiseWork
    ) throws -> Bool {
        let limit = room
        let devices = try deviceRows(of: message, after: work.position, limit: limit)
        for row in devices { try receive(event, forRow: row, rules) }
        room -= max(1, devices.count)
        work.position = devices.last?["device"] ?? ""
        if devices.count < limit { work.nextPhase() }
        return false
    }

    /// The rows of ``StoredDelivery`` of a message, in the order of the devices' ids.
    func deviceRows(of message: Int64, after device: String, limit: Int) throws -> [SQLRow] {
        try deliveryRows(
            where: "show.message = ? AND show.device > ? ORDER BY show.device LIMIT ?", [message, device, limit])
    }

    /// The message counts as unread no more, for whom there are rows and for whom there are none.
    private mutating func stepAllInboxes(of message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        if work.phase > 2 { return try stepRangedInboxes(of: message, &work) }
        if try stepInboxes(of: message, &work) { work.nextPhase() }
        return false
    }

    /// The message counts as unread no more; phones to which nothing else travels get the number.
    private mutating func stepInboxes(
        of message: Int64, queuesBadges: Bool = true, _ work: inout StepwiseWork
    ) throws -> Bool {
        let limit = room
        let rows = try rows(
            "SELECT app, user, read, gone FROM inbox WHERE message = ? AND user > ? ORDER BY user LIMIT ?",
            [message, work.position, limit])
        for row in rows where !row["gone"] {
            guard let user = try row.user() else { continue }
            try execute(
                "UPDATE inbox SET gone = 1 WHERE app = ? AND user = ? AND message = ?",
                [user.app.rawValue, user.id, message])
            if queuesBadges, row.timestamp("read") == nil { try queueBadge(for: user, except: nil) }
        }
        room -= max(1, rows.count)
        work.position = rows.last?["user"] ?? ""
        return rows.count < limit
    }
}
