import CarillonCore
import Foundation

/// Erases a user: signs the user's devices out, and deletes the user's id and the contents of the messages for this user alone.
///
/// The rows of these messages stay without content until the retention ends, because phones must still be told to remove the
/// messages. Every step can be repeated, so after an interruption the erasure starts again from the beginning.
struct Erasing: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    let deliveries: DeliveriesTable
    private let events: EventsTable
    private let inbox: InboxTable
    private let ranges: RangesTable
    private let work: WorkTable
    private let kept: KeptDeliveries
    private let working: WorkingInSteps
    private let devices: DevicesTable

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        deliveries = DeliveriesTable(session)
        events = EventsTable(session)
        inbox = InboxTable(session)
        ranges = RangesTable(session)
        work = WorkTable(session)
        kept = KeptDeliveries(session)
        working = WorkingInSteps(session)
        devices = DevicesTable(session)
    }

    /// Records that the erasure of a user has begun, so that the service starts it again after an interruption.
    ///
    /// - Returns: whether the erasure is new; false if an interrupted one continues.
    func begin(_ user: UserReference) throws -> Bool { try work.noteErasure(of: user) }

    /// Returns the numbers of the tasks, and of the messages whose deliveries are kept as bitmaps, whose recipients may include
    /// the user by name.
    func addressed(naming user: UserReference) throws -> (tasks: [Int64], ranges: [Int64]) {
        (try work.addressing(naming: user), try ranges.ranges(naming: user))
    }

    /// Removes the user from the recipients of messages that are scheduled, or whose recipients' devices are still being looked
    /// up.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - tasks: numbers of tasks, from ``addressed(naming:)``.
    /// - Throws: the errors of the database.
    func leaveOut(_ user: UserReference, ofTasks tasks: [Int64]) throws { try work.leaveOut(user, of: tasks) }

    /// Removes the user from the recipients of messages whose deliveries are kept as bitmaps.
    func leaveOut(_ user: UserReference, ofRanges messages: [Int64]) throws { try ranges.leaveOut(user, of: messages) }

    /// Erases the user from a bounded number of rows of the app's feed, and returns their number.
    func forgetEvents(of user: UserReference) throws -> Int {
        try FeedTable(session).forget(user, limit: StoreLimits.rowsPerStep)
    }

    /// Records that the erasure of a user is complete.
    func end(_ user: UserReference) throws { try work.endErasure(of: user) }

    // MARK: Messages

    /// Returns the row numbers of the deliveries that have a queued push for this user.
    ///
    /// Messages to everyone are left out. The caller must call this function before later steps remove the user's id from the
    /// deliveries.
    func queuedDeliveries(for user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT DISTINCT show.number FROM devices
                JOIN deliveries AS waiting ON waiting.device = devices.id
                JOIN deliveries AS show ON show.message = waiting.message AND show.device = waiting.device
                    AND show.purpose = 'show'
                JOIN messages ON messages.number = show.message
            WHERE devices.app = ? AND devices.user = ? AND waiting.state = 'queued' AND waiting.sender IS NULL
                AND show.user = ? AND messages.everyone = 0
            """, [user.app.rawValue, user.id, user.id]
        ).map { try $0["number"] }
    }

    func cancel(_ deliveries: [Int64]) throws {
        for number in deliveries {
            for row in try kept.deliveryRows(where: "show.number = ?", [number]) {
                try kept.receive(.cancelled(Self.erasedBeforeSent), forRow: row, SendingRules())
            }
        }
    }

    private static let erasedBeforeSent = "the user was erased before it was sent"

    /// Returns the numbers of the messages that only this user got.
    ///
    /// These messages were addressed to the user or to one of the user's installations. Most of them have rows in the store that
    /// name the user.
    ///
    /// A message has no such row if it reached no device, if its deliveries are kept as bitmaps, a bit for each device
    /// (``RangeRules``), or if it still has pushes to queue. The function finds such a message by its audience.
    func ownMessages(of user: UserReference) throws -> [Int64] {
        let audience = Audience.users([user.id]).fingerprint
        return try rows(
            """
            SELECT number FROM messages WHERE app = ? AND audience = ? AND (devices = 0 OR ranged = 1)
            UNION SELECT messages.number FROM work JOIN messages ON messages.number = work.message
            WHERE messages.app = ? AND messages.audience = ?
            UNION SELECT number FROM messages
            WHERE number IN (SELECT message FROM inbox WHERE app = ? AND user = ?
                    UNION SELECT message FROM deliveries WHERE user = ?)
                AND app = ? AND (audience = ? OR (ranged = 0
                    AND NOT EXISTS (SELECT 1 FROM inbox WHERE message = messages.number AND user <> ?)
                    AND NOT EXISTS (SELECT 1 FROM deliveries
                        WHERE message = messages.number AND purpose = 'show' AND user IS DISTINCT FROM ?)))
            ORDER BY number
            """,
            [
                user.app.rawValue, audience, user.app.rawValue, audience, user.app.rawValue, user.id, user.id,
                user.app.rawValue, audience, user.id, user.id,
            ]
        ).map { try $0["number"] }
    }

    /// Deletes the contents of the messages with these numbers, and cancels the queued pushes of these messages.
    func empty(_ numbers: [Int64]) throws {
        for number in numbers {
            let queued = try kept.deliveryRows(where: "show.message = ?", [number])
            for row in queued { try kept.receive(.cancelled(Self.erasedBeforeSent), forRow: row, SendingRules()) }
            try messages.empty(number)
            try work.drop(on: number)
            guard try ranges.ranged(number) != nil else { continue }
            // Marks the message as recalled, because other users may have had an earlier revision.
            try ranges.mark(number, .recalled)
            try working.begin(.recall(message: number, wait: 0))
        }
    }

    // MARK: Names

    /// Returns the numbers of the events that store text from the user's receipts: a typed reply, or a detail such as the
    /// identifier of a chosen action.
    func details(of user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT DISTINCT events.number FROM deliveries JOIN messages ON messages.number = deliveries.message
                JOIN events ON events.message = deliveries.message AND events.device = deliveries.device
            WHERE deliveries.user = ? AND messages.app = ? AND events.receipt IS NOT NULL
                AND (events.detail IS NOT NULL OR events.reply IS NOT NULL)
            """, [user.id, user.app.rawValue]
        ).map { try $0["number"] }
    }

    /// Returns the numbers of the devices whose tags may name the user: those on which the user is signed in, and those with the
    /// user's id as a tag.
    ///
    /// The caller must call this function before the user is signed out.
    func tagged(naming user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM devices WHERE app = ? AND user = ?
            UNION SELECT devices.number FROM device_tags JOIN devices ON devices.id = device_tags.device
                WHERE device_tags.app = ? AND device_tags.tag = ?
            """, [user.app.rawValue, user.id, user.app.rawValue, user.id]
        ).map { try $0["number"] }
    }

    /// Deletes the tags that name the user from devices.
    ///
    /// On a device with this user, each tag goes that contains the user's id as a word, such as `user:u-42`. On another device,
    /// only a tag goes that is the id itself.
    func eraseTags(_ numbers: [Int64], of user: UserReference) throws {
        for number in numbers {
            guard let row = try row("SELECT id, user, tags FROM devices WHERE number = ?", [number]) else { continue }
            let isOwn = row.text("user").map { UserID.isEqual($0, user.id) } ?? false
            let tags: [String] = try row.json("tags") ?? []
            let left = tags.filter { isOwn ? !Self.names($0, user.id) : !UserID.isEqual($0, user.id) }
            guard left.count < tags.count else { continue }
            try devices.setTags(left, of: row["id"], user.app)
        }
    }

    /// Returns whether a tag contains a user's id, and no letter or digit beside it.
    static func names(_ tag: String, _ id: String) -> Bool {
        let (tag, id) = (Array(tag.utf8), Array(id.utf8))
        guard !id.isEmpty, tag.count >= id.count else { return false }
        func isWord(_ byte: UInt8) -> Bool {
            byte >= 0x80 || UnicodeScalar(byte).properties.isAlphabetic || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        return (0...tag.count - id.count).contains { start in
            let end = start + id.count
            return tag[start..<end].elementsEqual(id) && (start == 0 || !isWord(tag[start - 1]))
                && (end == tag.count || !isWord(tag[end]))
        }
    }

    func deliveries(naming user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT deliveries.number FROM deliveries JOIN messages ON messages.number = deliveries.message
            WHERE deliveries.user = ? AND messages.app = ?
            """, [user.id, user.app.rawValue]
        ).map { try $0["number"] }
    }

    func eraseDetails(_ numbers: [Int64]) throws { for number in numbers { try events.eraseDetails(number) } }

    func eraseNames(_ numbers: [Int64]) throws { for number in numbers { try deliveries.eraseName(number) } }

    func emptyInbox(of user: UserReference) throws -> Int { try inbox.empty(of: user) }

    func forgetVariables(of user: UserReference) throws -> Int { try messages.forgetVariables(of: user) }

    /// Returns the number of database rows that still contain the user's id.
    func rowsNaming(_ user: UserReference) throws -> Int {
        let arguments: SQLArguments = [user.app.rawValue, user.id]
        return try integer("SELECT count(*) FROM inbox WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM unread WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM devices WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM message_variables WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM device_tags WHERE app = ? AND tag = ?", arguments)
            + integer("SELECT count(*) FROM feed WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM feed_users WHERE app = ? AND user = ?", arguments)
            + integer("SELECT count(*) FROM activity_phones WHERE app = ? AND user = ?", arguments)
            + integer(
                """
                SELECT count(*) FROM deliveries JOIN messages ON messages.number = deliveries.message
                WHERE messages.app = ? AND deliveries.user = ?
                """, arguments)
    }
}
