/// Rows of one installation that become another's.
extension StoreTransaction {
    /// A table whose rows belong to a device, and what tells the rows of one device apart.
    typealias TableOfDevices = (name: String, key: [String])

    static let deliveriesByDevice: TableOfDevices = ("deliveries", ["message", "purpose"])
    static let removalsByDevice: TableOfDevices = ("removals", ["message"])
    static let eventsByDevice: TableOfDevices = ("events", ["receipt"])

    /// Gives a device's rows to another; where that one has its own already, they stay.
    func move(
        _ table: TableOfDevices, from device: String, to other: String, where condition: String = "true"
    ) throws {
        let isSame = table.key.map { "own.\($0) = \(table.name).\($0)" }.joined(separator: " AND ")
        try execute(
            """
            UPDATE \(table.name) SET device = ? WHERE device = ? AND \(condition)
                AND NOT EXISTS (SELECT 1 FROM \(table.name) AS own WHERE own.device = ? AND \(isSame))
            """, [other, device, other])
    }
}
