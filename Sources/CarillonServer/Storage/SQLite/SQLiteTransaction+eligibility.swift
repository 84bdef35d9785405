import CarillonCore
import GRDB

/// What must not be sent any more, looked at when a delivery is about to be leased.
extension SQLiteTransaction {
    /// Finishes what must not be sent any more.
    mutating func isStillWanted(_ row: Row) throws -> Bool {
        let isRemoval = row["purpose"] == PushPurpose.removal.rawValue
        if row.isAboutNoMessage || isRemoval {
            let needed = try isPushNeeded(row)
            if !needed { try execute("DELETE FROM deliveries WHERE number = ?", [row["number"] as Int64]) }
            return needed
        }
        if let why = try obstacle(row) {
            try cancel(row, why: why)
            return false
        }
        if let until = row.timestamp("until"), until <= now {
            try finish(row, as: .expired, .expired, "not sent: its time had passed")
            return false
        }
        if try row.requiredTimestamp("queued") + ServiceLimits.deliveryLifetime <= now {
            let days = ServiceLimits.deliveryLifetime.components.seconds / (24 * 3600)
            try finish(row, as: .expired, .expired, "not sent: it waited for \(days) days")
            return false
        }
        return true
    }

    /// What has happened since it was queued (or while an attempt was in flight) that forbids sending it.
    private func obstacle(_ row: Row) throws -> String? {
        let user: String? = row["user"]
        if row["device_state"] != DeviceRecord.State.active.rawValue || (row["token"] as String?) == nil {
            return "the device has no valid token"
        }
        if let user, !UserID.isEqual(user, row.text("device_user")) { return Removal.Reason.signOut.cancellation }
        let removal = try self.row(
            "SELECT reason FROM removals WHERE device = ? AND message = ? AND revision >= ?",
            [row["device"] as String, row["message"] as Int64, row["revision"] as Int])
        return try removal.map { try ($0.choice("reason") as Removal.Reason).cancellation }
    }

    private func isPushNeeded(_ row: Row) throws -> Bool {
        let purpose: PushPurpose = try row.choice("purpose")
        if purpose == .tokenClaim { return row.text("claimed_token") != nil && row.text("claim_nonce") != nil }
        guard row["token"] as String? != nil, row["device_state"] == DeviceRecord.State.active.rawValue else {
            return false
        }
        if purpose == .tokenCheck { return row.timestamp("confirmed") == nil }
        guard purpose == .removal else { return (row["device_user"] as String?) != nil }
        if let message: Int64 = row["message"] {
            return try integer(
                "SELECT count(*) FROM removals WHERE device = ? AND message = ? AND confirmed IS NULL",
                [row["device"] as String, message]) > 0
        }
        return try !openRemovals(of: row["device"], limit: 1).isEmpty
    }
}
