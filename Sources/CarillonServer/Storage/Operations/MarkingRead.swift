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
        // Each step stores the rest of its task, so one task for very many messages would cost their square.
        for start in stride(from: 0, to: messages.count, by: StoreLimits.messagesPerReading) {
            let part = Array(messages[start...].prefix(StoreLimits.messagesPerReading))
            try working.begin(
                .read(StepwiseWork.Reading(app: user.app.rawValue, user: user.id, device: device, messages: part)))
        }
        return messages.count
    }

    /// Returns the numbers of the selected messages that the user has not read.
    ///
    /// A message without an entry in the user's inbox is included too, if the selection names its id and the user's devices have
    /// the message. The caller then removes it from these devices.
    func unread(_ selection: ReadSelection, of user: UserReference) throws -> [Int64] {
        switch selection {
        case .messages(let ids):
            let known = try messages.numbers(of: ids, user.app)
            return try unread(ids.compactMap { known[$0]?.number }, of: user)
        case .revisions(let named):
            let known = try messages.numbers(of: named.map(\.message), user.app)
            let current = named.compactMap { named in
                known[named.message].flatMap { $0.revision <= named.revision ? $0.number : nil }
            }
            return try unread(current, of: user)
        case .upTo(let moment):
            let inRows: [Int64] = try rows(
                """
                SELECT inbox.message FROM inbox JOIN messages ON messages.number = inbox.message
                WHERE inbox.app = ? AND inbox.user = ? AND inbox.read IS NULL AND messages.accepted <= ?
                ORDER BY inbox.message
                """, [user.app.rawValue, user.id, moment.millisecondsSince1970]
            ).map { try $0["message"] }
            let inBits: [Int64] = try rows(
                "SELECT number FROM messages WHERE \(dialect.isAmongIntegers("number")) AND accepted <= ? ORDER BY number",
                [Self.integers(try broadcasts.unread(of: user)), moment.millisecondsSince1970]
            ).map { try $0["number"] }
            return inRows + inBits
        }
    }

    /// Returns those of several messages that the user has not read, or that the user's devices have although no inbox has them.
    private func unread(_ numbers: [Int64], of user: UserReference) throws -> [Int64] {
        let entries = try rows(
            """
            SELECT inbox.message, inbox.read FROM inbox JOIN messages ON messages.number = inbox.message
            WHERE inbox.app = ? AND inbox.user = ? AND \(dialect.isAmongIntegers("inbox.message"))
                AND (messages.ranged = 0 OR inbox.revision = messages.revision)
            """, [user.app.rawValue, user.id, Self.integers(numbers)])
        let isRead = try Dictionary(entries.map { try ($0["message"] as Int64, $0.timestamp("read") != nil) }) {
            first, _ in first
        }
        return try numbers.filter { number in
            if let isRead = isRead[number] { return !isRead }
            return try !kept.deliveries(of: number, onDevicesOf: user).isEmpty
        }
    }

    /// Continues a task that marks messages as read, until it is finished or this transaction may process no further device.
    ///
    /// - Returns: whether the task is finished.
    func step(_ reading: inout StepwiseWork.Reading) throws -> Bool {
        let user = UserReference(reading.user, of: AppNumber(rawValue: reading.app))
        var broadcasts = Set(try broadcasts.unread(of: user))
        var (count, hasChanged) = (0, false)
        while room > 0, count < reading.messages.count {
            let message = reading.messages[count]
            let isBroadcast = broadcasts.remove(message) != nil
            let (devices, wasUnread) = try read(message, user: user, on: reading.device, isBroadcast: isBroadcast)
            room -= max(1, devices)
            hasChanged = hasChanged || wasUnread
            count += 1
        }
        // Once for all messages, because it looks at each of the user's devices.
        if hasChanged { try unread.queueBadge(for: user, except: reading.device) }
        reading.messages.removeFirst(count)
        return reading.messages.isEmpty
    }

    /// Marks a message as read by a user, and removes it from the user's other devices.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - user: the user.
    ///   - device: the device on which the user read the message; `nil` if the backend reports the reading.
    /// - Throws: the errors of the database.
    func read(_ message: Int64, user: UserReference, on device: String?) throws {
        let isBroadcast = try broadcasts.unread(of: user).contains(message)
        let (_, wasUnread) = try read(message, user: user, on: device, isBroadcast: isBroadcast)
        if wasUnread { try unread.queueBadge(for: user, except: device) }
    }

    /// Marks a message as read by a user, and removes it from the user's other devices.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - user: the user.
    ///   - device: the device on which the user read the message; `nil` if the backend reports the reading.
    ///   - isBroadcast: whether the message is among the user's unread broadcasts (``UnreadBroadcasts``).
    /// - Returns: the number of the user's devices that have the message, including `device`, at most
    ///   ``StoreLimits/devicesPerUser``; and whether the message was unread.
    /// - Throws: the errors of the database.
    private func read(
        _ message: Int64, user: UserReference, on device: String?, isBroadcast: Bool
    ) throws -> (devices: Int, wasUnread: Bool) {
        let wasUnread = try inbox.markRead(message, by: user)
        if !wasUnread, isBroadcast { try inbox.insertRead(message, by: user) }
        let all = try kept.deliveries(of: message, onDevicesOf: user)
        let others = all.filter {
            $0.device != device && !$0.delivery.answers.isSettled
        }
        try kept.receive(.withdrawn(.read), for: others)
        return (all.count, wasUnread || isBroadcast)
    }
}
