import CarillonCore

/// The limits and times of the store: steps of work, transactions, engines, and the facts kept of devices and users.
///
/// Only the store's folder and the folders that use the store refer to them.
enum StoreLimits {
    // MARK: Devices and users

    /// The greatest number of devices of a message with a row for each device.
    static let audienceDevices = 10_000
    /// The number of receipts that one device may send about one message.
    ///
    /// Further receipts are ignored.
    static let receiptsPerDeviceAndMessage = 50
    /// The greatest length of a tag, a locale, a time zone or an app's version, in bytes of UTF-8.
    static let labelBytes = DeviceFacts.labelByteLimit
    /// The number of installations bound to one user.
    ///
    /// With one more, the least recently seen one is signed out.
    static let devicesPerUser = 100
    /// The number of devices imported in one step.
    static let importedPerStep = 500
    /// The number of events that a timeline shows for one device: the newest ones.
    static let timelineEventsPerDevice = 200
    /// The limits of a search for devices without rows: the devices in one look-up, and the number of look-ups.
    static let timelineLook = 1000
    static let timelineLooks = 50
    /// The number of removals in one answer to a device.
    static let removalsPerSync = 500
    /// The number of sign-in keys that an app may have at once: the current key and its successor.
    static let liveSignInKeys = 2
    /// The interval between the checks of an app's new tokens, which allows 50 a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// The longest queue of an app's token checks, which allows 180,000 tokens.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// The least time between two nonces that are pushed to one claimed token.
    static let tokenClaimInterval = Duration.seconds(60)
    /// The validity of a nonce.
    static let tokenClaimLifetime = Duration.seconds(24 * 3600)

    // MARK: Claims and ranges

    /// The greatest number of bulk pushes that a claim leases together with a single message.
    static let pushesWithSingleMessage = 50
    /// The greatest width of a chunk for a message to devices with a tag.
    ///
    /// It is a multiple of ``DeliveryLimits/chunkDevices``. A place in a chunk has 16 bits.
    static let widestTaggedChunk = 16
    /// The greatest width of a chunk for a message with a condition that is tested on each device.
    ///
    /// It is a multiple of ``DeliveryLimits/chunkDevices``.
    static let widestAskedChunk = 4
    /// The number of chunks of usual width that one claim plans.
    ///
    /// A wide chunk whose devices are tested one by one counts as several.
    static let chunksPlannedPerClaim = 4
    /// The number of an app's newest range-sent messages that are searched for a device's removals and unread messages.
    ///
    /// An older message leaves a phone when its own `until` passes.
    static let liveBroadcasts = 100
    /// A time longer than any wait of a push, for example after a failure.
    ///
    /// A push that is due later was queued before the clock was set back, and is sent at once.
    static let longestTurn = Duration.seconds(2 * 3600)

    // MARK: Work in steps

    /// The work of recalling, expiring or cancelling one chunk, counted in devices of ``devicesPerStep``.
    static let roomPerChunk = 10
    /// The number of a message's devices that one transaction processes.
    ///
    /// It changes up to ten rows for each.
    static let devicesPerStep = 100
    /// The number of rows that one transaction deletes of old messages, or changes for an erased user.
    static let rowsPerStep = 500
    /// The number of an erased user's own messages that one transaction clears.
    static let erasedMessagesPerStep = 5
    /// The greatest number of devices that one step of addressing examines.
    static let askedDevicesPerStep: Int64 = 5000

    // MARK: Transactions and engines

    /// The size of the page cache of SQLite's writer in KiB.
    ///
    /// SQLite's own default is 2000.
    static let writerCacheKiB = 16_000
    /// The time for which one process waits for another's write to a shared SQLite file, in seconds.
    static let databaseBusySeconds = 10.0
    /// The greatest number of calls that share one transaction.
    static let callsPerCommit = 256
    /// The number of changed rows after which a transaction accepts no further call.
    static let changesPerCommit = 1000
    /// The number of statements, and the time, after which a transaction takes no further call.
    static let statementsPerCommit = 4000
    static let longestCommit = Duration.milliseconds(100)
    /// The number of one device's receipts that one transaction records.
    static let receiptsPerStep = 50
    /// The time after which a PostgreSQL statement is cancelled, in seconds.
    static let statementSeconds = 60
    /// The number of reading connections to PostgreSQL of one process.
    ///
    /// One more connection writes.
    static let readingConnections = 4
    /// The time for which further calls fail at once after a call has waited in vain for PostgreSQL.
    static let unreachableMemory = Duration.seconds(1)
    /// The greatest number of calls that wait for a connection to PostgreSQL.
    ///
    /// Further calls are refused.
    static let waitingReads = 10_000
    /// The number of prepared statements that one connection keeps.
    ///
    /// Beyond it, the connection drops all of them.
    static let preparedStatements = 1000
    /// The greatest number of statements that are sent to PostgreSQL before their answers are read.
    static let statementsSentAhead = 64
    /// The number of times that a group of calls is run, if the engine rolls it back through no fault of the calls.
    static let triesPerCommit = 5
    /// The greatest number of calls that wait for the writer.
    ///
    /// Further calls are refused.
    static let waitingWrites = 10_000
    /// The length of the write-ahead log, in pages of 4 KiB, at which a checkpoint starts: 4 MiB, SQLite's default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of the write-ahead log, in pages, from which a checkpoint copies its rest between two commits: 64 MiB.
    static let logPagesBeforeBetween = 16_384
    /// The size to which the log's file is truncated when the log begins anew, in bytes.
    static let logFileBytes = 64 * 1024 * 1024
    /// The longest time for which a checkpoint may delay a commit, in seconds.
    static let checkpointBusySeconds = 0.25

    // MARK: Copies

    /// The number of rows that a copy between engines reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// The number of steps between two checkpoints of a SQLite file that a copy is filling.
    static let stepsPerCheckpoint = 16
    /// The number of pages that a SQLite backup copies between two progress reports: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096

    // MARK: Other processes

    /// The number of newest messages for which a watcher learns of changes by other processes.
    static let watchedMessages = 100
    /// The shortest interval between announcements to other processes, in milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// The waits before a lost listening connection is made again.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))
}
