import CarillonCore
import GRDB

extension SQLiteStore {
    package func settle(
        _ settlements: [Settlement], worker: String, at now: Timestamp
    ) async throws -> [TimelineEvent] {
        try await write(at: now) { transaction in
            for settlement in settlements { try transaction.settle(settlement, worker: worker) }
            return transaction.events
        }
    }
}

/// What came of a claimed delivery: onto the timelines as fact, and into the row if the lease is still held.
extension SQLiteTransaction {
    mutating func settle(_ settlement: Settlement, worker: String) throws {
        guard let row = try row("SELECT * FROM deliveries WHERE number = ?", [settlement.number]) else { return }
        // What was sent is a fact, whoever owns the row by now: it belongs on the timeline.
        try recordFacts(settlement, row)
        let isOurs = row.text("lease_owner") == worker && row["revision"] == settlement.revision
        switch settlement.result {
        case .accepted(let fallbackDue):
            try execute("UPDATE deliveries SET reach = 2 WHERE number = ?", [settlement.number])
            if let sent = settlement.sent { try confirm(row, sent) }
            if isOurs { try close(row, as: .accepted) }
            try noteSent(settlement, row)
            if isOurs, let fallbackDue { try queueFallback(of: row, due: fallbackDue) }
        case .rejected(_, let verdict):
            if isOurs { try reject(row) }
            try apply(verdict, to: row, reason: settlement)
        case .retry(let due, _, let mayHaveArrived):
            if isOurs { try retry(row, due: due, mayHaveArrived: mayHaveArrived, wasSent: settlement.sent != nil) }
        case .unanswered:
            if isOurs { try close(row, as: .unanswered) }
        case .cancelled:
            if isOurs {
                try restoreReach(row)
                try close(row, as: .cancelled)
            }
        }
    }

    private mutating func recordFacts(_ settlement: Settlement, _ row: Row) throws {
        var kind: TimelineEventKind?
        var rejection: Settlement.Rejection?
        var detail: String?
        switch settlement.result {
        case .accepted: kind = .accepted
        case .rejected(let said, _):
            kind = .rejected
            rejection = said
        case .retry(_, let said, let mayHaveArrived):
            rejection = said
            kind = said != nil ? .rejected : mayHaveArrived ? .unanswered : nil
            detail = "will be tried again"
        case .unanswered:
            kind = .unanswered
            detail = "given up, so that it cannot alert again"
        case .cancelled(let why):
            kind = .cancelled
            detail = why
        }
        for (number, message, reason) in try subjects(of: row) {
            var event = TimelineEvent(
                message: message, device: row["device"], event: .sent, at: settlement.sent ?? settlement.at,
                purpose: try row.choice("purpose"), revision: settlement.revision, attempt: settlement.attempt,
                apnsID: settlement.apnsID, detail: reason?.why)
            if settlement.sent != nil { try record(event, about: number) }
            guard let kind else { continue }
            event.event = kind
            event.at = settlement.at
            event.reason = rejection?.reason
            event.status = rejection?.status
            event.detail = detail ?? reason?.why
            try record(event, about: number)
        }
    }

    /// The messages on whose timelines a push belongs: for a removal push, those that it takes away.
    private func subjects(of row: Row) throws -> [(number: Int64, MessageID, Removal.Reason?)] {
        if let number: Int64 = row["message"] { return [(number, try id(ofMessage: number), nil)] }
        guard row["purpose"] == PushPurpose.removal.rawValue else { return [] }
        return try openRemovalRows(of: row["device"], limit: ServiceLimits.removalsPerPush).map { row in
            (row["message"], try row.messageID("id"), try row.choice("reason") as Removal.Reason)
        }
    }

    /// APNs knows the token that the push went to, which is the device's own unless it was registered since.
    private func confirm(_ row: Row, _ sent: Timestamp) throws {
        guard row["purpose"] != PushPurpose.tokenClaim.rawValue, let device = try device(row["device"]),
            device.tokenRegistered <= sent
        else { return }
        try confirm(device.id)
    }

    private func reject(_ row: Row) throws {
        try restoreReach(row)
        try close(row, as: .rejected)
    }

    private mutating func retry(_ row: Row, due: Timestamp, mayHaveArrived: Bool, wasSent: Bool) throws {
        let number: Int64 = row["number"]
        let removal =
            row["purpose"] == PushPurpose.removal.rawValue
            ? nil
            : try self.row(
                "SELECT reason FROM removals WHERE device = ? AND message = ?",
                [row["device"] as String, row["message"] as Int64?])
        if !mayHaveArrived { try restoreReach(row) }
        if let removal {
            let reason: Removal.Reason = try removal.choice("reason")
            try cancel(row, why: reason.cancellation)
            return
        }
        // An attempt that cannot have arrived is no attempt to the phone; what it grows is only the back-off.
        try execute(
            """
            UPDATE deliveries SET due = ?, attempt = attempt - ?, lease_owner = NULL, lease_until = NULL
            WHERE number = ?
            """, [due.millisecondsSince1970, mayHaveArrived ? 0 : 1, number])
    }

    /// What the device has been told, and whether it answers: the number on its icon, and how often a visible push had
    /// to stand in for a silent one.
    private func noteSent(_ settlement: Settlement, _ row: Row) throws {
        let device: String = row["device"]
        switch settlement.badge {
        case .none: break
        case .unread(let count): try execute("UPDATE devices SET badge = ? WHERE id = ?", [count, device])
        case .sender: try execute("UPDATE devices SET badge = NULL WHERE id = ?", [device])
        }
        if row["purpose"] == PushPurpose.fallback.rawValue {
            try execute("UPDATE devices SET silent_unanswered = silent_unanswered + 1 WHERE id = ?", [device])
        }
    }
}
