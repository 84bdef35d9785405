import CarillonCore

/// Finds users' unread messages, among the messages whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
///
/// A ``RangeChunk`` stores which devices in a range got such a message. The table `inbox` has a row only for a user who has read
/// the message.
///
/// A message counts as unread for a user only if the user was already signed in on a device when that device's chunk was created.
/// So a user who signs in later does not see messages to the device's former user.
struct UnreadBroadcasts: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
    }

    /// Returns the message numbers of a user's unread broadcasts, in ascending order.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``). The function
    /// considers only the app's newest ``StoreLimits/liveBroadcasts`` broadcasts.
    func unread(of user: UserReference) throws -> [Int64] {
        try unread([user.id], of: user.app).values.first?.sorted() ?? []
    }

    /// Returns the message numbers of a user's unread broadcasts that meet an SQL condition, in ascending order.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``). The condition
    /// can use the columns of the tables `ranges` and `messages`.
    func unread(of user: UserReference, where condition: String, _ arguments: SQLArguments) throws
        -> [Int64]
    {
        try unread([user.id], of: user.app, where: condition, arguments).values.first?.sorted() ?? []
    }

    /// Returns, for each of several users, the message numbers of the user's unread broadcasts.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``). The result
    /// leaves out users without unread broadcasts.
    func unread(_ users: [String], of app: AppNumber) throws -> [UserName: Set<Int64>] {
        guard try ranges.isCounting(app.rawValue) else { return [:] }
        return try unread(
            users, of: app,
            where:
                "messages.recalled IS NULL AND ranges.ended IS NULL AND (messages.until IS NULL OR messages.until > ?)",
            [now.millisecondsSince1970])
    }

    // Two statements suffice for all users and messages, because each chunk is read once for all its devices.
    private func unread(
        _ users: [String], of app: AppNumber, where condition: String, _ arguments: SQLArguments
    ) throws -> [UserName: Set<Int64>] {
        let live =
            """
            FROM ranges JOIN messages ON messages.number = ranges.message
            WHERE ranges.app = ? AND ranges.counts = 1 AND (\(condition)) ORDER BY ranges.message DESC LIMIT ?
            """
        let values: SQLArguments = [app.rawValue] + arguments + [StoreLimits.liveBroadcasts]
        let (devices, read) = try devicesAndRead(users, of: app, live, values)
        var found: [UserName: Set<Int64>] = [:]
        for broadcast in try broadcasts(at: devices.map(\.ordinal), live, values) {
            for device in devices where broadcast.contains(device) {
                guard read[device.user]?[broadcast.message] != broadcast.revision else { continue }
                found[device.user, default: []].insert(broadcast.message)
            }
        }
        return found
    }

    private struct Device {
        let user: UserName
        let ordinal: Int64
        /// The number of the newest ``RangeChunk`` (deliveries of a message to a range of devices) that existed when the user
        /// signed in on the device.
        ///
        /// Chunks with greater numbers were created after the sign-in, so their messages count as unread for this user.
        let bound: Int64
    }

    /// A message whose deliveries are kept as bitmaps with a bit for each device (``RangeRules``), and the bits of some users'
    /// devices.
    ///
    /// Each ``ChunkExtract`` has the bits of one ``RangeChunk``. The key in `chunks` is the first ordinal (running number of a
    /// device in the app) that the chunk covers.
    private struct Broadcast {
        let message: Int64
        let revision: Int
        let isCancelled: Bool
        let size: Int64
        var chunks: [Int64: [ChunkExtract]] = [:]

        func contains(_ device: Device) -> Bool {
            let first = device.ordinal - (device.ordinal - 1) % size
            return chunks[first]?.contains { chunk in
                // A cancelled message stays in the inboxes of users whose devices the message may have reached.
                chunk.number > device.bound && chunk.contains(.addressed, device.ordinal)
                    && (!isCancelled || chunk.containsAny(of: [.handed, .row], device.ordinal))
            } ?? false
        }
    }

    /// Returns the devices of some users, and the broadcasts that each of these users has read.
    ///
    /// - Parameters:
    ///   - users: the ids of the users.
    ///   - app: the app of the users.
    ///   - live: the SQL that selects the broadcasts to consider.
    ///   - values: the values for the question marks in `live`.
    /// - Returns: `devices` has the users' devices that have an ordinal, a running number in the app. `read` has a dictionary for
    ///   each user: its keys are the message numbers of the broadcasts that the user has read, its values the revisions read.
    /// - Throws: the errors of the database.
    private func devicesAndRead(
        _ users: [String], of app: AppNumber, _ live: String, _ values: SQLArguments
    ) throws -> (devices: [Device], read: [UserName: [Int64: Int]]) {
        let (names, named) = (
            try Self.json(users), "IN (SELECT value FROM \(dialect.textsOfJSON) AS named)"
        )
        let rows = try rows(
            """
            SELECT devices.user, devices.ordinal, devices.bound, CAST(NULL AS BIGINT) AS message,
                CAST(NULL AS BIGINT) AS revision
            FROM devices WHERE devices.app = ? AND devices.user \(named) AND devices.ordinal IS NOT NULL
            UNION ALL
            SELECT inbox.user, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), inbox.message, inbox.revision
            FROM inbox WHERE inbox.app = ? AND inbox.user \(named)
                AND inbox.message IN (SELECT live FROM (SELECT ranges.message AS live \(live)) AS lately)
            """, [app.rawValue, names, app.rawValue, names] + values)
        var (devices, read): ([Device], [UserName: [Int64: Int]]) = ([], [:])
        for row in rows {
            let user = try UserName(row["user"])
            if let message: Int64 = row["message"] {
                read[user, default: [:]][message] = row["revision"]
            } else {
                devices.append(Device(user: user, ordinal: try row["ordinal"], bound: try row["bound"]))
            }
        }
        return (devices, read)
    }

    private func broadcasts(at ordinals: [Int64], _ live: String, _ values: SQLArguments) throws
        -> [Broadcast]
    {
        guard !ordinals.isEmpty else { return [] }
        let rows = try rows(
            """
            SELECT live, size, current, cancelled, chunks.number, chunks.message, chunks.first, chunks.marks
            FROM (SELECT ranges.message AS live, ranges.chunk_devices AS size, messages.cancelled,
                    messages.revision AS current \(live)) AS lately
                \(dialect.orderedJoin) chunks ON chunks.message = live AND chunks.revision = current
                    AND chunks.first IN (SELECT value - (value - 1) % size FROM \(dialect.integersOfJSON) AS placed)
                    AND chunks.due <= ? AND chunks.rest <> 'skipped'
            """, values + [Self.integers(ordinals), now.millisecondsSince1970])
        var found: [Int64: Broadcast] = [:]
        for row in rows {
            let extract = try ChunkExtract(row, changed: nil)
            let new = Broadcast(
                message: try row["live"], revision: try row["current"],
                isCancelled: row.timestamp("cancelled") != nil,
                size: try row["size"])
            found[extract.message, default: new].chunks[extract.first, default: []].append(extract)
        }
        return Array(found.values)
    }
}
