import CarillonCore

/// Lists the messages of a device, with what became of each there, page by page, the newest first.
struct DeviceMessages: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let recipients: Recipients

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        recipients = Recipients(session)
    }

    /// Returns a page of a device's messages.
    ///
    /// Only the bits of a broadcast's chunks tell whether it was for the device, so one page examines at most
    /// ``StoreLimits/listedReports`` messages; it may then be short although there are more.
    ///
    /// - Parameters:
    ///   - device: the installation's id.
    ///   - app: its app.
    ///   - mark: the number of the message before which the page begins; `nil` for the first page.
    ///   - limit: the greatest number of messages.
    /// - Returns: the page; `nil` if the app has no such device.
    /// - Throws: the errors of the database.
    func page(of device: String, _ app: AppNumber, before mark: Int64?, limit: Int) throws -> DeviceMessageList? {
        guard try row("SELECT id FROM devices WHERE id = ? AND app = ?", [device, app.rawValue]) != nil else {
            return nil
        }
        var (list, last, examined) = (DeviceMessageList(id: device, notifications: []), mark ?? .max, 0)
        while true {
            let found = try candidates(of: device, app, before: last, limit: limit + 1)
            for (index, number) in found.enumerated() {
                (last, examined) = (number, examined + 1)
                if let entry = try entry(number, device) { list.notifications.append(entry) }
                let hasMore = index + 1 < found.count || found.count > limit
                guard list.notifications.count < limit, examined < StoreLimits.listedReports else {
                    list.next = hasMore ? "\(number)" : nil
                    return list
                }
            }
            if found.count <= limit { return list }
        }
    }

    private func entry(_ number: Int64, _ device: String) throws -> DeviceMessageList.Entry? {
        guard let recipient = try recipients.recipient(of: number, on: device),
            let row = try row("SELECT id, accepted, revision FROM messages WHERE number = ?", [number])
        else { return nil }
        let alert = try messages.message(number, in: nil, for: nil).payload.aps.alert
        return DeviceMessageList.Entry(
            id: try row.messageID("id"), title: alert?.title ?? alert?.body, revision: try row["revision"],
            acceptedAt: try row.requiredTimestamp("accepted"), user: recipient.user, state: recipient.state,
            receipts: recipient.receipts, reason: recipient.reason)
    }

    /// Returns the numbers of messages that may be for a device: those with a row for it, and broadcasts in bits.
    ///
    /// The sum in `ORDER BY` lets PostgreSQL begin with the device's rows, and not with the newest messages of all devices.
    private func candidates(of device: String, _ app: AppNumber, before number: Int64, limit: Int) throws -> [Int64] {
        try rows(
            """
            SELECT message FROM (
                SELECT message FROM (SELECT message FROM deliveries
                    WHERE device = ? AND purpose = 'show' AND message < ? ORDER BY message + 0 DESC LIMIT ?) AS named
                UNION SELECT message FROM (SELECT message FROM ranges
                    WHERE app = ? AND message < ? ORDER BY message DESC LIMIT ?) AS ranged) AS found
            ORDER BY message DESC LIMIT ?
            """, [device, number, limit, app.rawValue, number, limit, limit]
        ).map { try $0["message"] }
    }
}
