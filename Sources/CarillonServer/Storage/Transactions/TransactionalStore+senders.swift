import CarillonCore
import Foundation

extension TransactionalStore {
    package func join(_ name: String) async throws -> JoinedSender {
        // Held before anybody can see the number: a sender without its lock is taken for dead.
        let presence = try begin(name)
        let number = try await write(at: Timestamp(millisecondsSince1970: 0)) { transaction in
            let number = try transaction.insertNumbered("INSERT INTO senders (name) VALUES (?)", [name])
            return SenderNumber(rawValue: try number ?? transaction.notWritten("sender"))
        }
        return JoinedSender(number, presence: presence)
    }

    package func beat(_ sender: SenderNumber) async throws -> [SenderBeat] {
        let others = try await writeBeside { transaction in
            // Who takes it over may be at it: one of the two sees what the other has done.
            let isLive = try transaction.changes(
                "UPDATE senders SET beat = beat + 1 WHERE number = ? AND ended = 0", [sender.rawValue])
            guard isLive > 0 else { throw SenderEnded() }
            return try transaction.rows(
                "SELECT number, name, beat, ended FROM senders WHERE number <> ? ORDER BY number", [sender.rawValue]
            ).map { row in
                (
                    number: SenderNumber(rawValue: row["number"]), name: row["name"] as String,
                    beat: row["beat"] as Int, ended: row["ended"] as Bool
                )
            }
        }
        return others.map { other in
            SenderBeat(
                sender: other.number, beat: other.beat,
                isDead: other.ended || isGone(other.name))
        }
    }

    package func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease {
        let (release, goneName) = try await write(at: now) { transaction in
            let name = try transaction.name(of: sender)
            let release = try transaction.release(sender, ifStillAt: beat, limit: limit)
            return (release, try transaction.name(of: sender) == nil ? name : nil)
        }
        if let goneName { forget(goneName) }
        return release
    }
}

/// The table `senders`: who may lease, and who has gone.
extension StoreTransaction {
    fileprivate func name(of sender: SenderNumber) throws -> String? {
        try row("SELECT name FROM senders WHERE number = ?", [sender.rawValue])?.text("name")
    }

    func requireLive(_ sender: SenderNumber) throws {
        let live = try integer(
            "SELECT count(*) FROM senders WHERE number = ? AND ended = 0", [sender.rawValue])
        guard live > 0 else { throw SenderEnded() }
    }

    fileprivate mutating func release(_ sender: SenderNumber, ifStillAt beat: Int?, limit: Int) throws -> SenderRelease
    {
        // From here on it leases nothing more; what it holds is ended step by step.
        let isEnded = try changes(
            "UPDATE senders SET ended = 1 WHERE number = ? AND (CAST(? AS BIGINT) IS NULL OR beat = ? OR ended = 1)",
            [sender.rawValue, beat, beat])
        guard isEnded > 0 else { return SenderRelease(count: 0, isDone: true, events: []) }
        let held = try rows(
            "SELECT number FROM deliveries WHERE sender = ? ORDER BY number LIMIT ?", [sender.rawValue, limit])
        for row in held { try lapse(row["number"] as Int64) }
        guard held.count < limit else { return SenderRelease(count: held.count, isDone: false, events: events) }
        let chunks = try lapse(chunksOf: sender, limit: limit - held.count)
        let count = held.count + chunks.count
        guard chunks.isDone else { return SenderRelease(count: count, isDone: false, events: events) }
        let removals = try lapseRemovals(limit: limit - count)
        if removals.isDone { try execute("DELETE FROM senders WHERE number = ?", [sender.rawValue]) }
        return SenderRelease(count: count + removals.count, isDone: removals.isDone, events: events)
    }

    private mutating func lapse(_ number: Int64) throws {
        // Read one by one: what ends before may have changed what ends after.
        guard let row = try row("SELECT * FROM deliveries WHERE number = ?", [number]) else { return }
        let purpose: PushPurpose = try row.choice("purpose")
        if [.show, .fallback, .notice].contains(purpose) {
            guard var stored = try delivery(of: row["message"], on: row["device"]) else { return }
            try receive(.lapsed(purpose), for: &stored)
        } else {
            var push = try row.push()
            if let note = DeliveryNote.abandoned(push, purpose, at: now) { try record(abandoned: note, row) }
            push.endLease()
            try write(push, number)
        }
    }

    /// Onto the timelines of the messages whose removal the push may have carried.
    private mutating func record(abandoned note: DeliveryNote, _ row: SQLRow) throws {
        let (device, purpose): (String, PushPurpose) = (row["device"], note.purpose)
        if let number: Int64 = row["message"] {
            return try record(
                TimelineEvent(note, message: try id(ofMessage: number), device: device), about: number)
        }
        guard purpose == .removal else { return }
        try record(abandoned: note, on: device, due: try row.requiredTimestamp("due"))
    }
}
