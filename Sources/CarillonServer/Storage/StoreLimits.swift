import CarillonCore

/// The limits and intervals of the store: for devices, users, transactions, database engines, and tasks that run in steps.
enum StoreLimits {
    // MARK: Devices and users

    /// The greatest number of devices that a message may have if the store keeps a row for each of them.
    ///
    /// The service refuses a message to named users or devices if it would go to more devices.
    static let audienceDevices = 10_000
    /// The greatest number of receipts that the service stores from one device about one message; it ignores further ones.
    static let receiptsPerDeviceAndMessage = 50
    /// The greatest length of a tag, a locale, a time zone or an app's version, in bytes of UTF-8.
    ///
    /// The service refuses a request in which one of these texts is longer.
    static let labelBytes = DeviceFacts.labelByteLimit
    /// The greatest number of installations on which one user can be signed in.
    ///
    /// When the user signs in on a further installation, the service signs the user out on the one that has been inactive for
    /// longest.
    static let devicesPerUser = 100
    /// The greatest number of devices that one transaction imports; an import of more devices takes several transactions.
    static let importedPerStep = 500
    /// The greatest number of events that a timeline shows for one device; the timeline leaves out older events.
    static let timelineEventsPerDevice = 200
    /// The greatest number of chunks (``RangeChunk``) that one query reads for a page of a message's timeline.
    static let timelineChunks = 32
    /// The greatest number of times that a page of a message's timeline looks for devices in the place of deleted ones.
    static let timelineLooks = 10
    /// The greatest number of messages that one page of a list of messages examines, to find those with the wanted states.
    static let listedReports = 200
    /// The greatest number of removals (requests to remove a message) in one answer to a device's request to sync.
    ///
    /// The answer leaves out older removals.
    static let removalsPerSync = 500
    /// The greatest number of valid sign-in keys of an app: the current key and its successor.
    ///
    /// If an app has this many, the service adds no further key until one of them is revoked.
    static let liveSignInKeys = 2
    /// The interval between two checks of one app's new device tokens: 20 ms, so at most 50 checks a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// The longest time for which a new device token waits for its check, a push that shows whether the token is valid.
    ///
    /// The service stores the time of each app's next check. If this time is further ahead than the limit, the service assumes
    /// that the clock was set back, and makes the check at once.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// The least time between two pushes of a nonce to one device token, if several installations have registered this token.
    static let tokenClaimInterval = Duration.seconds(60)
    /// The time for which a nonce that the service has pushed to a device token is valid.
    ///
    /// By sending the nonce back, an installation proves that it receives the pushes to a token that another installation has
    /// registered.
    static let tokenClaimLifetime = Duration.seconds(24 * 3600)

    /// The greatest number of devices with an unproven claim that one read finds; further ones follow in the next read.
    static let unprovenPerRead = 5000

    // MARK: Live Activities

    /// The greatest number of phones of one Live Activity; the service refuses a larger audience.
    ///
    /// Each change queues a push to each of them in one transaction. A Live Activity for more phones has broadcast channels.
    static let activityPhones = 500
    /// The time after which a Live Activity is not started any more: as long as iOS lets one be active.
    static let activityStart = Duration.seconds(LiveActivityEvent.activeSeconds)
    /// The time after which iOS has removed a Live Activity from all phones: from the last start, the longest active time and
    /// four hours on the lock screen.
    ///
    /// See [Displaying live data with Live
    /// Activities](https://developer.apple.com/documentation/activitykit/displaying-live-data-with-live-activities).
    static let activityLifetime = activityStart * 2 + Duration.seconds(4 * 3600)
    /// The greatest number of Live Activities that one transaction deletes.
    static let activitiesPerStep = 10

    // MARK: Feeds

    /// The time for which a feed keeps its events, and for which reading keeps the feed open.
    static let feedKept = Duration.seconds(7 * 24 * 3600)
    /// The greatest number of rows at which one read of a feed looks, if the reader wants only some types of events.
    static let feedRowsPerPage = 1000
    /// The time after which it is noted again that events name a user.
    static let feedUserNoted = Duration.seconds(24 * 3600)
    /// The number of days for which the figures of apps and campaigns are kept.
    static let figureDaysKept = 400
    /// The greatest number of chunks (``RangeChunk``) without a push to claim that one claim looks at.
    static let emptyChunksPerClaim = 64
    /// The greatest number of an app's templates.
    static let templatesPerApp = 1000
    /// The number of versions that the store keeps of a template; older ones are deleted.
    static let templateVersions = 50
    /// The greatest version of a template that a request can name.
    static let latestTemplateVersion = 1_000_000_000
    /// The greatest number of webhooks of an app.
    static let webhooksPerApp = 10
    /// A time that never comes, for the feed of an app with a webhook: the last second that RFC 3339 can write.
    static let forever = Timestamp(secondsSince1970: 253_402_300_799)

    // MARK: Claims and ranges

    /// The greatest number of pushes of ``DeliveryLane/bulk`` that a sender claims in a call that also claims a push of
    /// ``DeliveryLane/single``.
    static let pushesWithSingleMessage = 50
    /// The greatest width of a ``RangeChunk`` for a message to devices with a tag, in multiples of
    /// ``DeliveryLimits/chunkDevices``.
    ///
    /// The width is the number of consecutive device ordinals (running numbers in the app) that the chunk covers. It is limited
    /// so that a device's position in the chunk fits into 16 bits.
    static let widestTaggedChunk = 16
    /// The greatest width of a ``RangeChunk`` if the store must check for each device in its range whether the device belongs to
    /// the audience.
    ///
    /// The width is in multiples of ``DeliveryLimits/chunkDevices``.
    static let widestAskedChunk = 4
    /// The greatest number of chunks (``RangeChunk``) that one call creates when a sender claims pushes.
    ///
    /// A chunk that covers more than ``DeliveryLimits/chunkDevices`` devices counts as several if the store must check for each
    /// of its devices whether the device belongs to the audience.
    static let chunksPlannedPerClaim = 4
    /// The greatest number of an app's broadcasts that the store examines to find messages that a device must still remove, or
    /// that a user has not read.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``). The store
    /// examines the newest broadcasts and ignores older ones.
    static let liveBroadcasts = 100
    /// The upper limit of a push's wait for its next attempt.
    ///
    /// If the due time of a push is further ahead than this limit, the clock was set back after the push was queued. The
    /// service then sends the push at once.
    static let longestTurn = Duration.seconds(2 * 3600)

    // MARK: Work in steps

    /// The number of devices for which one ``RangeChunk`` counts towards ``devicesPerStep`` when its message is recalled,
    /// expires or is cancelled.
    static let roomPerChunk = 10
    /// The greatest number of a message's devices that one transaction processes; the remaining devices follow in further
    /// transactions.
    ///
    /// The transaction changes up to ten rows for each device.
    static let devicesPerStep = 100
    /// The number of controls for which a step that reloads controls leaves room on each device.
    static let controlsPerDevice = 10
    /// The greatest number of unfinished requests of an app to reload widgets or controls, each with an audience of its own.
    static let reloadsAtOnce = 20
    /// The greatest number of messages in one task that marks messages as read.
    static let messagesPerReading = 1000
    /// The greatest number of rows that one transaction deletes when it cleans up old messages, or changes when it erases a user.
    static let rowsPerStep = 500
    /// The greatest number of idempotency keys that one transaction examines to find those of a removed app.
    static let askedRequestsPerStep = 5000
    /// The cost of deleting one message of a removed app, besides its rows, as a number of rows in ``rowsPerStep``.
    static let statementsPerMessage = 10
    /// The greatest number of messages whose contents one transaction deletes when the store erases a user.
    ///
    /// Only messages that no other user got lose their contents.
    static let erasedMessagesPerStep = 5
    /// The greatest number of device ordinals (running numbers in the app) that one transaction examines to find a message's
    /// recipients.
    static let askedDevicesPerStep: Int64 = 5000
    /// The greatest number of device ordinals that one transaction examines if Swift decides the condition for each device
    /// (``DecidingAudiences``).
    static let decidedDevicesPerStep: Int64 = 1000
    /// The greatest number of answers to costly conditions that the store keeps until senders use them.
    static let keptDecisions = 16

    // MARK: Transactions and engines

    /// The size of the page cache of SQLite's writing connection, in KiB.
    ///
    /// SQLite's own default is 2000 KiB.
    static let writerCacheKiB = 16_000
    /// The time for which a call waits while another process writes to the database, or while PostgreSQL is unreachable, in
    /// seconds.
    ///
    /// After this time, the call fails.
    static let databaseBusySeconds = 10.0
    /// The greatest number of store calls that share one transaction; further calls wait for the next transaction.
    static let callsPerCommit = 256
    /// The number of calls whose first statements are sent before the work of the first of them is done.
    static let callsBegunTogether = 64
    /// The number of changed rows at which a transaction stops accepting further store calls.
    static let changesPerCommit = 1000
    /// The number of statements at which a transaction stops accepting further store calls.
    ///
    /// `longestCommit` is the duration at which it does so.
    static let statementsPerCommit = 4000
    static let longestCommit = Duration.milliseconds(100)
    /// The greatest number of receipts from one device that one transaction records; further receipts follow in the next
    /// transaction.
    static let receiptsPerStep = 50
    /// The greatest number of receipts that a call records without a preceding read.
    ///
    /// If a call has more receipts, it first reads whether any of them would change something. If none would, it writes
    /// nothing.
    static let receiptsCheckedSingly = 4
    /// The longest time for which one writing call may use the writing connection.
    ///
    /// After this time, the call is ended and changes nothing, and the calls of others go on. PostgreSQL itself ends a single
    /// statement that takes this long.
    static let longestCall = Duration.seconds(10)
    /// The longest time that one read may take; then it is ended.
    static let longestRead = Duration.seconds(30)
    /// The number of SQLite's instructions between two looks at the time of a call, about a millisecond.
    static let instructionsPerLook: Int32 = 20_000
    /// The greatest number of costly reads, such as counts of audiences, that run at the same time.
    ///
    /// Each app has at most one of them.
    static let costlyReads = 2
    /// The greatest number of costly reads of one app that wait; the store refuses further ones.
    static let waitingCostlyReads = 20
    /// The greatest number of connections on which one process reads from PostgreSQL; further reads wait for one of them.
    ///
    /// The process has further connections: for writing, for its sender's heartbeats, and for exchanging announcements with other
    /// processes.
    static let readingConnections = 4
    /// The time for which calls that need a new connection to PostgreSQL fail at once.
    ///
    /// This time begins when another call has waited for a connection in vain.
    static let unreachableMemory = Duration.seconds(1)
    /// The greatest number of store calls that wait for a connection to read from PostgreSQL; the store refuses further calls.
    static let waitingReads = 10_000
    /// The greatest number of prepared statements that one connection to PostgreSQL keeps.
    ///
    /// When this number is reached, the connection drops all of them before it prepares a further one.
    static let preparedStatements = 1000
    /// The greatest number of statements that a connection sends to PostgreSQL before it reads their answers.
    static let statementsSentAhead = 512
    /// The greatest number of times that the store runs a transaction that the database engine rolls back for a temporary reason,
    /// such as a deadlock.
    ///
    /// If the last time fails too, all calls in the transaction fail with the engine's error.
    static let triesPerCommit = 5
    /// The greatest number of store calls that wait for the writing connection; the store refuses further calls.
    static let waitingWrites = 10_000
    /// The length of SQLite's write-ahead log at which a checkpoint starts, in pages of 4 KiB: 4 MiB, SQLite's default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of SQLite's write-ahead log at which the service runs two checkpoints in a row, in pages of 4 KiB: 64 MiB.
    ///
    /// Commits during the first checkpoint leave a part of the log uncopied. The second checkpoint copies this part while no
    /// commit runs, so that SQLite can write from the log's beginning again.
    static let logPagesBeforeBetween = 16_384
    /// The size to which SQLite truncates the file of the write-ahead log, in bytes.
    ///
    /// SQLite does so when it begins to write the log from the file's beginning again.
    static let logFileBytes = 64 * 1024 * 1024
    /// The longest time for which a checkpoint of SQLite's write-ahead log may delay a commit, in seconds.
    static let checkpointBusySeconds = 0.25

    // MARK: Upgrades and copies

    /// The greatest number of rows to which one statement of a schema upgrade gives new values.
    ///
    /// The upgrade repeats the statement until no row is left.
    static let filledRowsPerStep = 5000
    /// The number of rows that a schema upgrade processes between two progress reports in the log.
    static let filledRowsPerSentence = 100_000

    /// The greatest number of rows that a copy between database engines reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// The number of steps after which a copy between database engines makes a checkpoint, if the target is a SQLite file.
    static let stepsPerCheckpoint = 16
    /// The number of pages of 4 KiB that a SQLite backup copies between two progress reports: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096

    // MARK: Metrics

    /// The greatest number of due pushes that the metrics count in one queue of a ``SendingChannel``.
    static let countedPushes = 100_000
    /// The greatest number of unconfirmed removals that the metrics count.
    static let countedRemovals = 10_000

    // MARK: Other processes

    /// The number of the newest messages among which a process looks for messages that other processes have accepted or are
    /// sending.
    ///
    /// The process publishes these changes to its own subscribers.
    static let watchedMessages = 100
    /// The number of stored changes of messages (recalls, pauses and the like), by which other processes learn of them.
    ///
    /// A process that has not read the store during more changes misses the oldest.
    static let messageChanges = 1000
    /// The shortest interval between two announcements (PostgreSQL's `NOTIFY`) that tell other processes about changes, in
    /// milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// The waits before a process opens a new connection for announcements (PostgreSQL's `LISTEN`) after losing the earlier one.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))
}
