import CarillonCore
import GRDB

/// A device's token: taken over by another installation, or retired because of what APNs says about it.
extension SQLiteTransaction {
    /// A token belongs to the installation that registered it last.
    mutating func takeToken(for device: DeviceRecord) throws {
        let former = try rows(
            "SELECT id FROM devices WHERE token = ? AND topic = ? AND environment = ? AND id <> ?",
            [device.token?.hex, device.topic, device.environment.rawValue, device.id])
        for row in former {
            try retire(row["id"], as: .superseded, why: "another installation has registered this device's token")
        }
    }

    /// Retires the token when APNs says that it is no longer valid (410) or does not know it (BadDeviceToken).
    mutating func apply(
        _ verdict: Settlement.TokenVerdict, to row: Row, reason settlement: Settlement
    ) throws {
        guard case .rejected(let rejection, _) = settlement.result else { return }
        let device: String = row["device"]
        let why = "the device's token is no longer valid (\(rejection.reason))"
        switch verdict {
        case .unaffected: return
        case .quarantined: try retire(device, as: .quarantined, why: why)
        case .invalidSince(let moment):
            // Apple: stop only if the token was not registered again after the timestamp.
            let registered = try self.row("SELECT token_registered FROM devices WHERE id = ?", [device])?
                .timestamp("token_registered")
            guard let registered, registered <= moment else { return }
            try retire(device, as: .unregistered, why: why)
        }
    }

    /// Stops sending to a device until it registers again.
    private mutating func retire(_ device: String, as state: DeviceRecord.State, why: String) throws {
        // Only a superseded token goes: it is another's now. The others are kept for whoever looks into it.
        try execute(
            "UPDATE devices SET state = ?, token = CASE WHEN ? = 'superseded' THEN NULL ELSE token END WHERE id = ?",
            [state.rawValue, state.rawValue, device])
        let waiting = try rows(
            "SELECT * FROM deliveries WHERE device = ? AND state = 'queued' AND lease_until IS NULL", [device])
        for row in waiting {
            if row.text("message") == nil {
                try execute("DELETE FROM deliveries WHERE number = ?", [row["number"] as Int64])
            } else {
                try cancel(row, why: why)
            }
        }
    }
}
