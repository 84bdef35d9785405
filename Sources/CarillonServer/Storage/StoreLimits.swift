import CarillonCore

/// The limits and times of the store: for steps of work, transactions, engines, and the stored facts about devices and users.
///
/// Only the files in the store's folder, and in the folders that use the store, refer to these limits.
enum StoreLimits {
    // MARK: Devices and users

    /// The greatest number of devices to which a message is sent with one row for each device.
    static let audienceDevices = 10_000
    /// The greatest number of receipts that the service stores from one device about one message.
    ///
    /// The service ignores further receipts.
    static let receiptsPerDeviceAndMessage = 50
    /// The greatest length of a tag, a locale, a time zone or an app's version, in bytes of UTF-8.
    static let labelBytes = DeviceFacts.labelByteLimit
    /// The greatest number of installations that are bound to one user.
    ///
    /// If a further installation is bound to the user, the service signs the least recently seen one out.
    static let devicesPerUser = 100
    /// The greatest number of devices that one transaction imports.
    static let importedPerStep = 500
    /// The greatest number of events that a timeline shows for one device: the newest events.
    static let timelineEventsPerDevice = 200
    /// The greatest number of devices that one query examines in a search for devices whose deliveries are stored in bits.
    ///
    /// `timelineLooks` is the greatest number of queries in one search.
    static let timelineLook = 1000
    static let timelineLooks = 50
    /// The greatest number of removals in one answer to a device's request to sync.
    static let removalsPerSync = 500
    /// The greatest number of valid sign-in keys of an app: the current key and its successor.
    static let liveSignInKeys = 2
    /// The interval between two token checks of one app, which allows 50 checks a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// The greatest time ahead for which an app's token checks are queued: an hour, which is enough for 180,000 tokens.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// The least time between two pushes of a nonce to one claimed token.
    static let tokenClaimInterval = Duration.seconds(60)
    /// The time for which a nonce that was pushed to a claimed token is valid.
    static let tokenClaimLifetime = Duration.seconds(24 * 3600)

    // MARK: Claims and ranges

    /// The greatest number of bulk pushes that one claim leases if it also leases a single message.
    static let pushesWithSingleMessage = 50
    /// The greatest width of a chunk for a message to devices with a tag.
    ///
    /// The unit is ``DeliveryLimits/chunkDevices`` ordinals. A place in a chunk is a number of 16 bits.
    static let widestTaggedChunk = 16
    /// The greatest width of a chunk for a message whose condition is tested on each device.
    ///
    /// The unit is ``DeliveryLimits/chunkDevices`` ordinals.
    static let widestAskedChunk = 4
    /// The greatest number of chunks of the usual width that one claim plans.
    ///
    /// A wide chunk whose devices must be tested one by one counts as several.
    static let chunksPlannedPerClaim = 4
    /// The number of an app's newest messages sent by ranges that are searched for a device's removals and unread messages.
    ///
    /// A phone removes an older message when the message's own `until` passes.
    static let liveBroadcasts = 100
    /// A time that is longer than a push ever waits, for example after a failure.
    ///
    /// If a push is due even later, it was queued before the clock was set back. It is sent at once.
    static let longestTurn = Duration.seconds(2 * 3600)

    // MARK: Work in steps

    /// The cost of recalling, expiring or cancelling one chunk, in devices of ``devicesPerStep``.
    static let roomPerChunk = 10
    /// The greatest number of a message's devices that one transaction processes.
    ///
    /// A transaction changes up to ten rows for each device.
    static let devicesPerStep = 100
    /// The greatest number of rows that one transaction deletes with old messages, or changes for an erased user.
    static let rowsPerStep = 500
    /// The greatest number of an erased user's own messages whose contents one transaction deletes.
    static let erasedMessagesPerStep = 5
    /// The greatest number of ordinals that one step of addressing examines.
    static let askedDevicesPerStep: Int64 = 5000

    // MARK: Transactions and engines

    /// The size of the page cache of SQLite's writing connection, in KiB.
    ///
    /// SQLite's own default is 2000 KiB.
    static let writerCacheKiB = 16_000
    /// The time for which a call waits while another process writes to the database, or while PostgreSQL is unreachable, in
    /// seconds.
    static let databaseBusySeconds = 10.0
    /// The greatest number of calls that share one transaction.
    static let callsPerCommit = 256
    /// The number of changed rows after which a transaction accepts no further call.
    static let changesPerCommit = 1000
    /// The number of statements after which a transaction accepts no further call; `longestCommit` is the time.
    static let statementsPerCommit = 4000
    static let longestCommit = Duration.milliseconds(100)
    /// The greatest number of one device's receipts that one transaction records.
    static let receiptsPerStep = 50
    /// The time after which a PostgreSQL statement is cancelled, in seconds.
    static let statementSeconds = 60
    /// The greatest number of connections on which one process reads from PostgreSQL.
    ///
    /// A process has further connections for writing, for heartbeats and for announcements.
    static let readingConnections = 4
    /// The time for which calls that need a new connection to PostgreSQL fail at once, after one call has waited for it in
    /// vain.
    static let unreachableMemory = Duration.seconds(1)
    /// The greatest number of calls that wait for a reading connection to PostgreSQL.
    ///
    /// The store refuses further calls.
    static let waitingReads = 10_000
    /// The greatest number of prepared statements that one connection keeps.
    ///
    /// To prepare a further statement, the connection first drops all prepared ones.
    static let preparedStatements = 1000
    /// The greatest number of statements that a connection sends to PostgreSQL before it reads their answers.
    static let statementsSentAhead = 64
    /// The greatest number of times that a group of calls is run, if the engine rolls it back without a fault of the calls.
    static let triesPerCommit = 5
    /// The greatest number of calls that wait for the writing connection.
    ///
    /// The store refuses further calls.
    static let waitingWrites = 10_000
    /// The length of SQLite's write-ahead log, in pages of 4 KiB, at which a checkpoint starts: 4 MiB, SQLite's default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of SQLite's write-ahead log, in pages, from which a checkpoint copies the rest of the log between two
    /// commits: 64 MiB.
    static let logPagesBeforeBetween = 16_384
    /// The size to which SQLite truncates the log's file when it starts the log again from the beginning, in bytes.
    static let logFileBytes = 64 * 1024 * 1024
    /// The longest time for which a checkpoint may delay a commit, in seconds.
    static let checkpointBusySeconds = 0.25

    // MARK: Upgrades and copies

    /// The greatest number of rows that one statement of an upgrade fills.
    static let filledRowsPerStep = 5000
    /// The number of filled rows after which an upgrade tells how far it is.
    static let filledRowsPerSentence = 100_000

    /// The greatest number of rows that a copy between engines reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// The number of steps after which a copy to a SQLite file makes a checkpoint.
    static let stepsPerCheckpoint = 16
    /// The number of pages that a SQLite backup copies between two progress reports: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096

    // MARK: Other processes

    /// The number of newest messages whose changes by other processes a process notices.
    static let watchedMessages = 100
    /// The shortest interval between announcements to other processes, in milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// The waits before a process reconnects a lost connection for announcements.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))
}
