import CarillonCore
import Foundation

extension TransactionalStore {
    package func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure {
        try await write(at: now) { try $0.noteErasure(of: user) }
        var erasure = UserErasure(devices: 0, messages: 0, inbox: 0, deliveries: 0, remaining: 0, events: [])
        try await write(at: now) {
            try $0.leaveOut(user)
            try $0.leaveOutOfRanges(user)
        }
        let queued = try await read { try $0.queuedDeliveries(for: user) }
        erasure.events += try await inSteps(over: queued, by: ServiceLimits.devicesPerStep, at: now) {
            try $0.cancel($1)
        }
        let signedOut = try await writeInSteps(at: now) { try $0.signOut(user) }
        erasure.devices = signedOut.value
        erasure.events += signedOut.events
        // What is looked for all over the database is found without holding up those who write.
        let own = try await read { try $0.ownMessages(of: user) }
        erasure.messages = own.count
        erasure.events += try await inSteps(over: own, by: ServiceLimits.erasedMessagesPerStep, at: now) {
            try $0.empty($1)
        }
        let details = try await read { try $0.details(of: user) }
        let named = try await read { try $0.deliveries(naming: user) }
        try await inSteps(over: details, by: ServiceLimits.rowsPerStep, at: now) { try $0.eraseDetails($1) }
        try await inSteps(over: named, by: ServiceLimits.rowsPerStep, at: now) { try $0.eraseNames($1) }
        erasure.deliveries = details.count + named.count
        var emptied = 1
        while emptied > 0 {
            emptied = try await write(at: now) { try $0.emptyInbox(of: user) }
            erasure.inbox += emptied
        }
        emptied = 1
        while emptied > 0 { emptied = try await write(at: now) { try $0.forgetVariables(of: user) } }
        erasure.remaining = try await write(at: now) { try $0.endErasure(of: user) }
        await removeTraces()
        return erasure
    }

    package func finishErasures(at now: Timestamp) async throws -> [TimelineEvent] {
        var events: [TimelineEvent] = []
        for user in try await read({ try $0.unfinishedErasures() }) { events += try await erase(user, at: now).events }
        return events
    }

    /// Does something with the rows of those numbers, some at a time.
    @discardableResult
    private func inSteps(
        over numbers: [Int64], by size: Int, at now: Timestamp,
        _ body: @escaping @Sendable (inout StoreTransaction, [Int64]) throws -> Void
    ) async throws -> [TimelineEvent] {
        var events: [TimelineEvent] = []
        for start in stride(from: 0, to: numbers.count, by: size) {
            let chunk = Array(numbers[start..<min(start + size, numbers.count)])
            events += try await write(at: now) { transaction in
                try body(&transaction, chunk)
                return transaction.events
            }
        }
        return events
    }
}

/// Forgetting a user: signed out everywhere, and nothing left that names the user or that only the user was sent.
///
/// Messages keep their row, without content, until the retention ends: the phones are still to be told to remove them.
/// Every step can be done again, so an erasure that was interrupted is begun anew.
extension StoreTransaction {
    fileprivate func noteErasure(of user: UserReference) throws {
        guard try !unfinishedErasures().contains(user) else { return }
        let work = StepwiseWork(.erase(app: user.app.rawValue, user: user.id))
        try execute(
            "INSERT INTO work (kind, state) VALUES (?, ?)",
            [work.kind, String(decoding: try CarillonJSON.encode(work), as: UTF8.self)])
    }

    fileprivate func unfinishedErasures() throws -> [UserReference] {
        try rows("SELECT state FROM work WHERE kind = ?", [StepwiseWork.erasure]).compactMap { row in
            let state: String = row["state"]
            let work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            guard case .erase(let app, let user) = work?.task else { return nil }
            return UserReference(user, of: AppNumber(rawValue: app))
        }
    }

    /// - Returns: how many rows still name the user.
    fileprivate func endErasure(of user: UserReference) throws -> Int {
        for row in try rows("SELECT number, state FROM work WHERE kind = ?", [StepwiseWork.erasure]) {
            let state: String = row["state"]
            let work = try? CarillonJSON.decode(StepwiseWork.self, from: Data(state.utf8))
            guard case .erase(let app, let name) = work?.task, app == user.app.rawValue, name == user.id else {
                continue
            }
            try execute("DELETE FROM work WHERE number = ?", [row["number"] as Int64])
        }
        return try rowsNaming(user)
    }

    /// What is queued for the user, however much: what follows takes the user's name off it.
    fileprivate func queuedDeliveries(for user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT DISTINCT show.number FROM devices
                JOIN deliveries AS waiting ON waiting.device = devices.id
                JOIN deliveries AS show ON show.message = waiting.message AND show.device = waiting.device
                    AND show.purpose = 'show'
                JOIN messages ON messages.number = show.message
            WHERE devices.app = ? AND devices.user = ? AND waiting.state = 'queued' AND waiting.sender IS NULL
                AND show.user = ? AND messages.everyone = 0
            """, [user.app.rawValue, user.id, user.id]
        ).map { $0["number"] }
    }

    fileprivate mutating func cancel(_ deliveries: [Int64]) throws {
        for number in deliveries {
            for row in try deliveryRows(where: "show.number = ?", [number]) {
                try receive(.cancelled(Self.erasedBeforeSent), forRow: row, SendingRules())
            }
        }
    }

    private static let erasedBeforeSent = "the user was erased before it was sent"

    /// The messages that were for this user alone, by name or by installation.
    fileprivate func ownMessages(of user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM messages WHERE app = ? AND (audience = ? OR (ranged = 0 AND
                (EXISTS (SELECT 1 FROM inbox WHERE message = messages.number AND user = ?)
                    OR EXISTS (SELECT 1 FROM deliveries WHERE message = messages.number AND user = ?))
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE message = messages.number AND user <> ?)
                AND NOT EXISTS (SELECT 1 FROM deliveries
                    WHERE message = messages.number AND purpose = 'show' AND user IS DISTINCT FROM ?)))
            """,
            [
                user.app.rawValue, Audience.users([user.id]).fingerprint, user.id, user.id, user.id, user.id,
            ]
        ).map { $0["number"] }
    }

    /// Empties messages, and cancels what is queued of them.
    fileprivate mutating func empty(_ messages: [Int64]) throws {
        for number in messages {
            let queued = try deliveryRows(where: "show.message = ?", [number])
            for row in queued { try receive(.cancelled(Self.erasedBeforeSent), forRow: row, SendingRules()) }
            // The fingerprints could confirm a guess at what was sent, and to whom.
            try execute(
                """
                UPDATE messages SET payload = ?, texts = NULL, notice = NULL, fingerprint = ?, audience = ?,
                    recalled = coalesce(recalled, ?) WHERE number = ?
                """, [try Payload(aps: Aps()).encoded(), Data(), Data(), now.millisecondsSince1970, number])
            try execute("DELETE FROM idempotency WHERE message = ?", [number])
            try dropWork(on: number)
            guard try ranged(number) != nil else { continue }
            // Others may have had an earlier revision.
            try markRange(number, .recalled)
            try begin(.recall(message: number, wait: 0))
        }
    }

    /// The events that have a detail of a receipt of the user's.
    fileprivate func details(of user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT events.number FROM events WHERE receipt IS NOT NULL AND (detail IS NOT NULL OR reply IS NOT NULL)
                AND EXISTS (SELECT 1 FROM deliveries JOIN messages ON messages.number = deliveries.message
                    WHERE deliveries.message = events.message AND deliveries.device = events.device
                    AND deliveries.user = ? AND messages.app = ?)
            """, [user.id, user.app.rawValue]
        ).map { $0["number"] }
    }

    fileprivate func eraseDetails(_ events: [Int64]) throws {
        for number in events {
            try execute("UPDATE events SET detail = NULL, reply = NULL WHERE number = ?", [number])
        }
    }

    fileprivate func deliveries(naming user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM deliveries
            WHERE user = ? AND message IN (SELECT number FROM messages WHERE app = ?)
            """, [user.id, user.app.rawValue]
        ).map { $0["number"] }
    }

    fileprivate func eraseNames(_ deliveries: [Int64]) throws {
        for number in deliveries { try execute("UPDATE deliveries SET user = NULL WHERE number = ?", [number]) }
    }

    /// - Returns: how many entries were deleted.
    fileprivate func emptyInbox(of user: UserReference) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        return try changes(
            """
            DELETE FROM inbox WHERE app = ? AND user = ? AND message IN
                (SELECT message FROM inbox WHERE app = ? AND user = ? LIMIT ?)
            """, name + name + [ServiceLimits.rowsPerStep])
    }

    /// - Returns: how many messages' values of the user were deleted.
    fileprivate func forgetVariables(of user: UserReference) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        return try changes(
            """
            DELETE FROM message_variables WHERE app = ? AND user = ? AND message IN
                (SELECT message FROM message_variables WHERE app = ? AND user = ? LIMIT ?)
            """, name + name + [ServiceLimits.rowsPerStep])
    }

    private func rowsNaming(_ user: UserReference) throws -> Int {
        let arguments: SQLArguments = [user.app.rawValue, user.id]
        return try integer("SELECT count(*) FROM inbox WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM unread WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM devices WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM message_variables WHERE app = ? AND user = ?", arguments)
            + integer(
                """
                SELECT count(*) FROM deliveries JOIN messages ON messages.number = deliveries.message
                WHERE messages.app = ? AND deliveries.user = ?
                """, arguments)
    }
}
