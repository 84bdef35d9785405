import CarillonCore

/// The limits and intervals of the store: for devices, users, transactions, database engines, and tasks that run in steps.
enum StoreLimits {
    // MARK: Devices and users

    /// The greatest number of devices of a message for which the store keeps a row for each device.
    ///
    /// The service refuses a message to named users or devices if they have more devices.
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
    /// The greatest number of devices that one query examines when a timeline lists the devices whose deliveries are stored in
    /// bits (``RangeChunk``).
    ///
    /// `timelineLooks` is the greatest number of such queries for one page of a timeline.
    static let timelineLook = 1000
    static let timelineLooks = 50
    /// The greatest number of removals in one answer to a device's request to sync; the answer leaves out older removals.
    static let removalsPerSync = 500
    /// The greatest number of valid sign-in keys of an app: the current key and its successor.
    ///
    /// The service adds no further key until one is revoked.
    static let liveSignInKeys = 2
    /// The interval between two checks of new device tokens of one app: 20 ms, so 50 checks a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// The longest time by which the check of an app's new token may be delayed: an hour, enough to check 180,000 tokens.
    ///
    /// If a stored time for the next check lies further ahead, the clock was set back, and the store ignores the stored time.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// The least time between two pushes of a nonce to one device token that more than one installation has registered.
    static let tokenClaimInterval = Duration.seconds(60)
    /// The time for which a nonce that was pushed to a device token is valid.
    ///
    /// With the nonce, another installation proves that it receives the token's pushes.
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
    /// A chunk that is wider than usual, and whose devices are tested one by one, counts as several.
    static let chunksPlannedPerClaim = 4
    /// The number of an app's newest messages sent as ranges of devices (``RangeRules``) that the store examines to find a
    /// device's removals and unread messages.
    ///
    /// A phone removes an older message when the message's own `until` passes.
    static let liveBroadcasts = 100
    /// A time longer than any push waits for its next attempt.
    ///
    /// If a push is due later than this time from now, it was queued before the clock was set back, and is sent at once.
    static let longestTurn = Duration.seconds(2 * 3600)

    // MARK: Work in steps

    /// The cost of recalling, expiring or cancelling one ``RangeChunk``, as a number of devices that counts toward
    /// ``devicesPerStep``.
    static let roomPerChunk = 10
    /// The greatest number of a message's devices that one transaction processes.
    ///
    /// A transaction changes up to ten rows for each device.
    static let devicesPerStep = 100
    /// The greatest number of rows that one transaction deletes for old messages, or changes to erase a user.
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
    /// `longestCommit` is the duration after which a transaction accepts no further call.
    static let statementsPerCommit = 4000
    static let longestCommit = Duration.milliseconds(100)
    /// The greatest number of one device's receipts that one transaction records.
    static let receiptsPerStep = 50
    /// The greatest number of receipts in one call that the store passes to the writing connection without a read before.
    ///
    /// If a call has more receipts, a read first finds the receipts that may change something.
    static let receiptsCheckedSingly = 4
    /// The time after which a PostgreSQL statement is cancelled, in seconds.
    static let statementSeconds = 60
    /// The greatest number of connections on which one process reads from PostgreSQL; further reads wait for a connection.
    ///
    /// A process has further connections: for writing, for heartbeats of its sender, and for announcements of changes to other
    /// processes.
    static let readingConnections = 4
    /// The time for which calls that need a new connection to PostgreSQL fail at once, after one call has waited for a connection
    /// in vain.
    static let unreachableMemory = Duration.seconds(1)
    /// The greatest number of store calls that wait for a connection to read from PostgreSQL.
    ///
    /// The store refuses further calls.
    static let waitingReads = 10_000
    /// The greatest number of prepared statements that one connection keeps.
    ///
    /// Before it prepares a further statement, the connection drops all its prepared statements.
    static let preparedStatements = 1000
    /// The greatest number of statements that a connection sends to PostgreSQL before it reads their answers.
    static let statementsSentAhead = 64
    /// The greatest number of times that the store runs a transaction that the engine rolls back for a passing reason, such as a
    /// deadlock.
    ///
    /// After the last time, the calls in the transaction fail with the engine's error.
    static let triesPerCommit = 5
    /// The greatest number of store calls that wait for the writing connection.
    ///
    /// The store refuses further calls.
    static let waitingWrites = 10_000
    /// The length of SQLite's write-ahead log, in pages of 4 KiB, at which a checkpoint starts: 4 MiB, SQLite's default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of SQLite's write-ahead log, in pages of 4 KiB, from which a second checkpoint follows: 64 MiB.
    ///
    /// The second checkpoint copies the rest of the log between two commits.
    static let logPagesBeforeBetween = 16_384
    /// The size in bytes to which SQLite truncates the write-ahead log's file when it begins to write the log from the file's
    /// beginning again.
    static let logFileBytes = 64 * 1024 * 1024
    /// The longest time for which a checkpoint may delay a commit, in seconds.
    static let checkpointBusySeconds = 0.25

    // MARK: Upgrades and copies

    /// The greatest number of rows that one statement of an upgrade fills.
    static let filledRowsPerStep = 5000
    /// The number of filled rows after which an upgrade writes its progress to the log again.
    static let filledRowsPerSentence = 100_000

    /// The greatest number of rows that a copy between engines reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// The number of steps after which a copy to a SQLite file makes a checkpoint.
    static let stepsPerCheckpoint = 16
    /// The number of pages that a SQLite backup copies between two progress reports: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096

    // MARK: Other processes

    /// The number of newest messages that a process checks for changes by other processes, to publish these changes.
    static let watchedMessages = 100
    /// The shortest interval between two announcements of changes to other processes (PostgreSQL's `NOTIFY`), in milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// The waits before a process opens a new connection for announcements (PostgreSQL's `LISTEN`) after losing the earlier one.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))
}
