import CarillonCore

/// The limits and times of the store: for tasks in steps, transactions, database engines, devices and users.
///
/// Only the files in the store's folder, and in the folders that use the store, refer to these limits.
enum StoreLimits {
    // MARK: Devices and users

    /// The greatest number of devices to which a message is sent with one row for each device.
    ///
    /// The service refuses a message to named recipients with more devices.
    static let audienceDevices = 10_000
    /// The greatest number of receipts that the service stores from one device about one message.
    ///
    /// The service ignores further receipts.
    static let receiptsPerDeviceAndMessage = 50
    /// The greatest length of a tag, a locale, a time zone or an app's version, in bytes of UTF-8.
    ///
    /// The service refuses a request with a longer one.
    static let labelBytes = DeviceFacts.labelByteLimit
    /// The greatest number of installations that are bound to one user.
    ///
    /// If a further installation is bound to the user, the service signs out the installation that has been inactive for longest.
    static let devicesPerUser = 100
    /// The greatest number of devices that one transaction imports; an import of more devices takes several transactions.
    static let importedPerStep = 500
    /// The greatest number of events that a timeline shows for one device; the timeline leaves out older events.
    static let timelineEventsPerDevice = 200
    /// The greatest number of devices that one query examines in a search for devices whose deliveries are stored in bits
    /// (``RangeChunk``).
    ///
    /// `timelineLooks` is the greatest number of queries in one search.
    static let timelineLook = 1000
    static let timelineLooks = 50
    /// The greatest number of removals in one answer to a device's request to sync; the answer leaves out older removals.
    static let removalsPerSync = 500
    /// The greatest number of valid sign-in keys of an app: the current key and its successor.
    ///
    /// The service adds no further key until one is revoked.
    static let liveSignInKeys = 2
    /// The interval between two checks of new tokens of one app, which allows 50 checks a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// The greatest time ahead for which checks of an app's new tokens are queued: an hour, which is enough for 180,000 tokens.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// The least time between two pushes of a nonce to one device token that more than one installation has registered.
    static let tokenClaimInterval = Duration.seconds(60)
    /// The time for which a nonce is valid that was pushed to a device token, so that another installation can prove that it gets
    /// the token's pushes.
    static let tokenClaimLifetime = Duration.seconds(24 * 3600)

    // MARK: Claims and ranges

    /// The greatest number of pushes of ``DeliveryLane/bulk`` that a sender claims at once together with a push of
    /// ``DeliveryLane/single``.
    static let pushesWithSingleMessage = 50
    /// The greatest width of a ``RangeChunk`` for a message to devices with a tag, as a multiple of
    /// ``DeliveryLimits/chunkDevices``.
    ///
    /// A device's position in a chunk must fit into 16 bits.
    static let widestTaggedChunk = 16
    /// The greatest width of a ``RangeChunk`` for a message whose condition is tested on each device.
    ///
    /// The width is a multiple of ``DeliveryLimits/chunkDevices``.
    static let widestAskedChunk = 4
    /// The greatest number of chunks (``RangeChunk``) that one call creates when a sender claims pushes.
    ///
    /// The limit counts chunks of the usual width. A wide chunk whose devices must be tested one by one counts as several.
    static let chunksPlannedPerClaim = 4
    /// The number of an app's newest messages sent as ranges of devices (``RangeRules``) in which the store looks for a device's
    /// removals and unread messages.
    ///
    /// A phone removes an older message when the message's own `until` passes.
    static let liveBroadcasts = 100
    /// A time that is longer than a push ever waits for its next attempt.
    ///
    /// If a push is due even later, it was queued before the clock was set back, and is sent at once.
    static let longestTurn = Duration.seconds(2 * 3600)

    // MARK: Work in steps

    /// The cost of recalling, expiring or cancelling one ``RangeChunk``, as a number of devices that counts toward
    /// ``devicesPerStep``.
    static let roomPerChunk = 10
    /// The greatest number of a message's devices that one transaction processes.
    ///
    /// A transaction changes up to ten rows for each device.
    static let devicesPerStep = 100
    /// The greatest number of rows that one transaction deletes with old messages, or changes for an erased user.
    static let rowsPerStep = 500
    /// The greatest number of an erased user's own messages whose contents one transaction deletes.
    static let erasedMessagesPerStep = 5
    /// The greatest number of device ordinals (running numbers in the app) that one transaction examines to find a message's
    /// recipients.
    static let askedDevicesPerStep: Int64 = 5000

    // MARK: Transactions and engines

    /// The size of the page cache of SQLite's writing connection, in KiB.
    ///
    /// SQLite's own default is 2000 KiB.
    static let writerCacheKiB = 16_000
    /// The time for which a call waits while another process writes to the database, or while PostgreSQL is unreachable, in
    /// seconds.
    static let databaseBusySeconds = 10.0
    /// The greatest number of store calls that share one transaction; further calls wait for the next transaction.
    static let callsPerCommit = 256
    /// The number of changed rows after which a transaction accepts no further call.
    static let changesPerCommit = 1000
    /// The number of statements after which a transaction accepts no further call.
    ///
    /// `longestCommit` is the time after which it accepts none.
    static let statementsPerCommit = 4000
    static let longestCommit = Duration.milliseconds(100)
    /// The greatest number of one device's receipts that one transaction records.
    static let receiptsPerStep = 50
    /// The greatest number of receipts in one call that go to the writer at once.
    ///
    /// For more receipts, a read first finds those that may change something.
    static let receiptsCheckedSingly = 4
    /// The time after which a PostgreSQL statement is cancelled, in seconds.
    static let statementSeconds = 60
    /// The greatest number of connections on which one process reads from PostgreSQL; further reads wait for a connection.
    ///
    /// A process has further connections for writing, for heartbeats and for announcements.
    static let readingConnections = 4
    /// The time for which further calls that need a new connection to PostgreSQL fail at once.
    ///
    /// The time begins when one call has waited for a connection in vain.
    static let unreachableMemory = Duration.seconds(1)
    /// The greatest number of store calls that wait for a PostgreSQL connection that reads.
    ///
    /// The store refuses further calls.
    static let waitingReads = 10_000
    /// The greatest number of prepared statements that one connection keeps.
    ///
    /// To prepare a further statement, the connection first drops all prepared ones.
    static let preparedStatements = 1000
    /// The greatest number of statements that a connection sends to PostgreSQL before it reads their answers.
    static let statementsSentAhead = 64
    /// The greatest number of times that the store runs a transaction if the engine rolls it back without a fault of its calls.
    ///
    /// After the last time, the calls fail with the engine's error.
    static let triesPerCommit = 5
    /// The greatest number of store calls that wait for the connection that writes.
    ///
    /// The store refuses further calls.
    static let waitingWrites = 10_000
    /// The length of SQLite's write-ahead log, in pages of 4 KiB, at which a checkpoint starts: 4 MiB, SQLite's default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of SQLite's write-ahead log, in pages of 4 KiB, from which a checkpoint copies the rest of the log between two
    /// commits: 64 MiB.
    static let logPagesBeforeBetween = 16_384
    /// The size in bytes to which SQLite truncates the write-ahead log's file when it writes the log from the beginning again.
    static let logFileBytes = 64 * 1024 * 1024
    /// The longest time for which a checkpoint may delay a commit, in seconds.
    static let checkpointBusySeconds = 0.25

    // MARK: Upgrades and copies

    /// The greatest number of rows that one statement of an upgrade fills.
    static let filledRowsPerStep = 5000
    /// The number of filled rows after which an upgrade reports its progress.
    static let filledRowsPerSentence = 100_000

    /// The greatest number of rows that a copy between engines reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// The number of steps after which a copy to a SQLite file makes a checkpoint.
    static let stepsPerCheckpoint = 16
    /// The number of pages that a SQLite backup copies between two progress reports: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096

    // MARK: Metrics

    /// The greatest number of due pushes that the metrics count in one queue of a ``SendingChannel``.
    static let countedPushes = 100_000
    /// The greatest number of unconfirmed removals that the metrics count.
    static let countedRemovals = 10_000

    // MARK: Other processes

    /// The number of newest messages that a process checks for changes by other processes.
    static let watchedMessages = 100
    /// The shortest interval between announcements to other processes, in milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// The waits before a process reconnects a lost connection for announcements.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))
}
