import CarillonCore
import Foundation

/// Pushes with removals that are in flight and have no rows, as they are kept: the table `removal_leases`.
extension StoreTransaction {
    /// What a sender has in flight from a chunk; `nil` when that is nothing.
    func removalLease(of sender: SenderNumber, in chunk: Int64) throws -> RemovalLease? {
        try row(
            "SELECT chunk, sender, began, places FROM removal_leases WHERE chunk = ? AND sender = ?",
            [chunk, sender.rawValue]
        )?.removalLease()
    }

    /// What senders have in flight that may send nothing more.
    ///
    /// Those count too whom a version has taken over that did not know of these leases.
    func abandonedRemovalLeases() throws -> [RemovalLease] {
        try rows(
            """
            SELECT chunk, sender, began, places FROM removal_leases
            WHERE sender NOT IN (SELECT number FROM senders WHERE ended = 0) ORDER BY chunk, sender
            """
        ).map { try $0.removalLease() }
    }

    /// Keeps what a lease has become; one under which nothing is in flight leaves no row behind.
    func keep(_ lease: RemovalLease) throws {
        let name: SQLArguments = [lease.chunk, lease.sender.rawValue]
        guard !lease.places.isEmpty else {
            return try execute("DELETE FROM removal_leases WHERE chunk = ? AND sender = ?", name)
        }
        try execute(
            """
            INSERT INTO removal_leases (chunk, sender, began, places) VALUES (?, ?, ?, ?)
            ON CONFLICT (chunk, sender) DO UPDATE SET places = excluded.places
            """, name + [lease.began.millisecondsSince1970, lease.places.encoded])
    }

    /// Whether such a push is on its way to a device.
    func isRemovalInFlight(to device: String) throws -> Bool {
        guard let (app, ordinal) = try place(of: device) else { return false }
        let rows = try rows(
            """
            SELECT removal_leases.*, chunks.first
            FROM removal_leases JOIN chunks ON chunks.number = removal_leases.chunk
                JOIN ranges ON ranges.message = chunks.message
            WHERE ranges.app = ? AND chunks.first <= ? AND chunks.first > ? - ranges.chunk_devices
            """, [app, ordinal, ordinal])
        return try rows.contains { try $0.removalLease().places.contains(Int(ordinal - ($0["first"] as Int64))) }
    }
}

extension SQLRow {
    fileprivate func removalLease() throws -> RemovalLease {
        guard let places = DeviceSet(encoded: self["places"] as Data) else { throw unreadable("places") }
        return RemovalLease(
            chunk: self["chunk"], sender: SenderNumber(rawValue: self["sender"]), began: try requiredTimestamp("began"),
            places: places)
    }
}
