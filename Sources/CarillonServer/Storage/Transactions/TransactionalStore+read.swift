import CarillonCore

extension TransactionalStore {
    package func markRead(
        _ selection: ReadSelection, user: UserReference, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome {
        let (marked, events) = try await writeInSteps(at: now) { transaction in
            let messages = try transaction.unread(selection, of: user)
            try transaction.begin(
                .read(
                    StepwiseWork.Reading(app: user.app.rawValue, user: user.id, device: device, messages: messages)))
            return messages.count
        }
        let unread = try await read(at: now) { try $0.unreadCount(of: user) }
        return ReadOutcome(marked: marked, unread: unread, events: events)
    }
}

/// What a user has read: no longer unread, and removed from the other devices.
extension StoreTransaction {
    /// Which of the selected messages the user has not read.
    ///
    /// Named messages count even when they are not in the inbox (a broadcast), so that they disappear from the user's
    /// devices too.
    fileprivate func unread(_ selection: ReadSelection, of user: UserReference) throws -> [Int64] {
        switch selection {
        case .messages(let ids):
            try ids.compactMap { try number(of: MessageReference($0, of: user.app)) }.filter { number in
                let row = try row(
                    """
                    SELECT inbox.read FROM inbox JOIN messages ON messages.number = inbox.message
                    WHERE inbox.app = ? AND inbox.user = ? AND inbox.message = ?
                        AND (messages.ranged = 0 OR inbox.revision = messages.revision)
                    """, [user.app.rawValue, user.id, number])
                if let row { return row.timestamp("read") == nil }
                return try !deliveries(of: number, onDevicesOf: user).isEmpty
            }
        case .revisions(let named):
            try unread(
                .messages(
                    named.filter { named in
                        try integer(
                            "SELECT revision FROM messages WHERE app = ? AND id = ?",
                            [user.app.rawValue, named.message.rawValue]) <= named.revision
                    }.map(\.message)), of: user)
        case .upTo(let moment):
            try rows(
                """
                SELECT inbox.message FROM inbox JOIN messages ON messages.number = inbox.message
                WHERE inbox.app = ? AND inbox.user = ? AND inbox.read IS NULL AND messages.accepted <= ?
                ORDER BY inbox.message
                """, [user.app.rawValue, user.id, moment.millisecondsSince1970]
            ).map { $0["message"] }
                + unreadRanged(of: user).filter { number in
                    try integer(
                        "SELECT count(*) FROM messages WHERE number = ? AND accepted <= ?",
                        [number, moment.millisecondsSince1970]) > 0
                }
        }
    }

    /// - Returns: whether nothing is left.
    mutating func step(_ reading: inout StepwiseWork.Reading) throws -> Bool {
        let user = UserReference(reading.user, of: AppNumber(rawValue: reading.app))
        var count = 0
        while room > 0, count < reading.messages.count {
            room -= max(1, try read(reading.messages[count], user: user, on: reading.device))
            count += 1
        }
        reading.messages.removeFirst(count)
        return reading.messages.isEmpty
    }

    /// A user has read a message, on `device` or elsewhere: it disappears from the user's other devices.
    /// - Returns: how many of the user's devices have it, at most ``ServiceLimits/devicesPerUser``.
    @discardableResult
    mutating func read(_ message: Int64, user: UserReference, on device: String?) throws -> Int {
        let inInbox = try changes(
            "UPDATE inbox SET read = ? WHERE app = ? AND user = ? AND message = ? AND read IS NULL",
            [now.millisecondsSince1970, user.app.rawValue, user.id, message])
        let wasUnread = try inInbox > 0 || readRanged(message, user)
        let all = try deliveries(of: message, onDevicesOf: user)
        let others = all.filter {
            $0.device != device && !$0.delivery.answers.isSettled
        }
        try receive(.withdrawn(.read), for: others)
        if wasUnread { try queueBadge(for: user, except: device) }
        return all.count
    }

    /// A message on the devices of one user: as many look-ups as the user has devices, whatever the audience.
    private func deliveries(of message: Int64, onDevicesOf user: UserReference) throws -> [StoredDelivery] {
        try rows(
            "SELECT id FROM devices WHERE app = ? AND user = ? ORDER BY number", [user.app.rawValue, user.id]
        ).compactMap { try delivery(of: message, on: $0["id"]) }
    }
}
