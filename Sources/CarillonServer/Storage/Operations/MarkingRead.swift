import CarillonCore

/// Marks messages as read by their users.
///
/// A message that a user has read no longer counts as unread, and the user's other devices remove it.
struct MarkingRead: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let inbox: InboxTable
    private let kept: KeptDeliveries
    private let unread: UnreadMessages
    private let broadcasts: UnreadBroadcasts
    private let working: WorkingInSteps

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        inbox = InboxTable(session)
        kept = KeptDeliveries(session)
        unread = UnreadMessages(session)
        broadcasts = UnreadBroadcasts(session)
        working = WorkingInSteps(session)
    }

    /// Marks the selected messages as read by a user.
    ///
    /// - Parameters:
    ///   - selection: the messages.
    ///   - user: the user.
    ///   - device: the device on which the user has read them; `nil` if the backend reports the reading.
    /// - Returns: the number of selected messages that the user had not read.
    /// - Throws: the errors of the database.
    func read(_ selection: ReadSelection, by user: UserReference, on device: String?) throws -> Int {
        let messages = try unread(selection, of: user)
        try working.begin(
            .read(StepwiseWork.Reading(app: user.app.rawValue, user: user.id, device: device, messages: messages)))
        return messages.count
    }

    /// Returns the numbers of the selected messages that the user has not read.
    ///
    /// A message without an entry in the user's inbox is included too, if the selection names its id and the user's devices have
    /// the message. The caller then removes it from these devices.
    func unread(_ selection: ReadSelection, of user: UserReference) throws -> [Int64] {
        switch selection {
        case .messages(let ids):
            try ids.compactMap { try messages.number(of: MessageReference($0, of: user.app)) }.filter { number in
                let row = try row(
                    """
                    SELECT inbox.read FROM inbox JOIN messages ON messages.number = inbox.message
                    WHERE inbox.app = ? AND inbox.user = ? AND inbox.message = ?
                        AND (messages.ranged = 0 OR inbox.revision = messages.revision)
                    """, [user.app.rawValue, user.id, number])
                if let row { return row.timestamp("read") == nil }
                return try !kept.deliveries(of: number, onDevicesOf: user).isEmpty
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
            ).map { try $0["message"] }
                + broadcasts.unread(of: user).filter { number in
                    try integer(
                        "SELECT count(*) FROM messages WHERE number = ? AND accepted <= ?",
                        [number, moment.millisecondsSince1970]) > 0
                }
        }
    }

    /// Continues a task that marks messages as read, until it is finished or this transaction may process no further device.
    ///
    /// - Returns: whether the task is finished.
    func step(_ reading: inout StepwiseWork.Reading) throws -> Bool {
        let user = UserReference(reading.user, of: AppNumber(rawValue: reading.app))
        var count = 0
        while room > 0, count < reading.messages.count {
            room -= max(1, try read(reading.messages[count], user: user, on: reading.device))
            count += 1
        }
        reading.messages.removeFirst(count)
        return reading.messages.isEmpty
    }

    /// Marks a message as read by a user, and removes it from the user's other devices.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - user: the user.
    ///   - device: the device on which the user read the message; `nil` if the backend reports the reading.
    /// - Returns: the number of the user's devices that have the message, including `device`; at most
    ///   ``StoreLimits/devicesPerUser``.
    /// - Throws: the errors of the database.
    @discardableResult
    func read(_ message: Int64, user: UserReference, on device: String?) throws -> Int {
        let wasUnread = try inbox.markRead(message, by: user) || readRanged(message, user)
        let all = try kept.deliveries(of: message, onDevicesOf: user)
        let others = all.filter {
            $0.device != device && !$0.delivery.answers.isSettled
        }
        try kept.receive(.withdrawn(.read), for: others)
        if wasUnread { try unread.queueBadge(for: user, except: device) }
        return all.count
    }

    /// Marks a message whose deliveries are kept as bitmaps with a bit for each device (``RangeRules``) as read by a user.
    ///
    /// - Returns: whether the message was unread. If not, the function changes nothing.
    func readRanged(_ message: Int64, _ user: UserReference) throws -> Bool {
        guard try broadcasts.unread(of: user).contains(message) else { return false }
        try inbox.insertRead(message, by: user)
        return true
    }
}
