import CarillonCore

/// The limits and times of the service.
///
/// Settings that an operator may change are in ``ServiceConfiguration``; their defaults are here. Times that Apple or a
/// protocol prescribes for the connection to APNs belong to the APNs client.
enum ServiceLimits {
    // MARK: Requests

    /// The largest body of a backend's call, in bytes.
    static let backendBodyBytes = 64 * 1024
    /// The largest body of an app's call, in bytes; 500 receipts fit into it.
    static let appBodyBytes = 256 * 1024
    /// The greatest number of users or devices named in one `to`.
    static let namedRecipients = 1000
    /// The greatest limit on an app's pushes in a second that may be set.
    static let sendsPerSecond = 100_000
    /// The greatest time for which a message may be scheduled ahead.
    static let longestSchedule = Duration.seconds(366 * 24 * 3600)
    /// The last second of the year 9999, since 1970; a greater number was meant as milliseconds.
    static let lastSecond = 253_402_300_799.0
    /// The greatest number of languages of one message, beside its payload's own.
    static let localesPerMessage = 100
    /// The greatest number of one user's values for the variables of a message.
    static let variablesPerUser = 32
    /// The size in bytes up to which a payload without other texts certainly fits into a push.
    ///
    /// In any mode and dialect, Carillon adds at most twice the payload's size and its own key. A larger payload is composed to
    /// be measured.
    static let surelyFittingPayload = 1024
    /// The number of an app's devices up to which all messages have a row for each device.
    ///
    /// An app with more devices sends by ranges to everyone and by a condition.
    static let devicesWithRows = 1000
    /// The greatest number of devices of a message that has a row for each.
    static let audienceDevices = 10_000
    /// The greatest length of a user's id, in bytes of UTF-8.
    static let userIDBytes = 128
    /// The greatest length of an `Idempotency-Key`, in bytes.
    static let idempotencyKeyBytes = 128
    /// The length of the random part of a message id that the service draws, in bytes before they become hexadecimal.
    static let drawnMessageIDBytes = 10
    /// The length of the random part of an imported installation's id that the service draws, in bytes.
    static let drawnInstallationIDBytes = 16
    /// The greatest number of receipts in one request.
    static let receiptsPerBatch = ReceiptBatch.countLimit
    /// The greatest length of a receipt's detail, in bytes of UTF-8.
    static let receiptDetailBytes = 200
    /// The greatest length of a reply that a person types into a notification, in bytes of UTF-8.
    static let replyBytes = Receipt.replyByteLimit
    /// The greatest lengths of a recall notice's parts, in bytes of UTF-8; such a notice fits into any push.
    static let noticeTitleBytes = 200
    static let noticeBodyBytes = 800
    /// The number of receipts that one device may send about one message; further ones are ignored.
    static let receiptsPerDeviceAndMessage = 50
    /// The greatest number of tags of one device.
    static let tagsPerDevice = DeviceFacts.tagLimit
    /// The greatest length of a tag, a locale, a time zone or an app's version, in bytes of UTF-8.
    static let labelBytes = 64
    /// The greatest length of an unknown path that a problem quotes, in characters.
    static let quotedPathCharacters = 200
    /// The greatest length of an unknown key that a problem quotes and compares with the known keys, in characters.
    static let quotedKeyCharacters = 64

    /// The number of installations bound to one user; with one more, the least recently seen is signed out.
    static let devicesPerUser = 100
    /// The greatest depth of a body's JSON.
    static let bodyDepth = 32
    /// The number of new installations a minute from one address, unless the operator sets another.
    static let registrationsPerAddress = 60
    /// The number of new installations a minute for an app, unless the operator sets another.
    static let registrationsPerApp = 6000
    /// The number of addresses whose registrations are counted; beyond it, the least recently seen is forgotten.
    static let countedAddresses = 10_000
    /// The number of entries of `X-Forwarded-For` that are read, from the last.
    static let forwardedAddresses = 16

    /// The number of one app's pushes that may wait to be sent, unless the operator sets another.
    static let backlog = 1_000_000
    /// The ages up to which a count of waiting pushes is used: one below the limit, and one that has reached it (`full`).
    static let backlogAge = Duration.seconds(10)
    static let fullBacklogAge = Duration.seconds(1)
    /// The time after which a caller that sends too much may try again.
    static let backlogRetryAfter = Duration.seconds(5)

    /// The greatest size of one record of an imported file, in bytes.
    static let importedRecordBytes = 16 * 1024
    /// The number of devices imported in one step.
    static let importedPerStep = 500
    /// The number of refused records that an import's report lists; further ones are only counted.
    static let listedRefusals = 1000

    // MARK: Answers

    /// The number of events shown for one device in a timeline, the newest of all.
    static let timelineEventsPerDevice = 200
    /// The number of devices that one look-up of a timeline reads to find those without rows, and the number of look-ups.
    static let timelineLook = 1000
    static let timelineLooks = 50
    /// The number of devices on one page of a timeline, and in the answer to a recall.
    static let devicesPerPage = 100
    /// The number of messages on one page of an inbox, and of ids in one call that marks as read.
    static let messagesPerPage = 100
    /// The number of removals in one answer to a device.
    static let removalsPerSync = 500

    // MARK: Secrets

    /// The range of lengths of an installation's secret, in hexadecimal characters: 32 to 128 bytes.
    static let secretCharacters = 64...256
    /// The length of an API key's public part, in bytes before they become hexadecimal.
    static let apiKeyIDBytes = 8
    /// The length of an API key's secret part, in bytes before they become hexadecimal.
    static let apiKeySecretBytes = 32
    /// The greatest length of an API key that is looked up, in bytes.
    static let apiKeyBytes = 256
    /// The time for which a looked-up API key is trusted; a revoked key is refused after this time at the latest.
    static let apiKeyCacheLife = Duration.seconds(1)
    /// The number of API keys in the cache.
    static let cachedAPIKeys = 1000
    /// The shortest secret for sign-in tokens, in bytes: as long as the hash of HS256
    /// ([RFC 7518, section 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)).
    static let signInSecretBytes = 32
    /// The greatest length of a sign-in token that is read, in bytes.
    static let signInTokenBytes = 2048
    /// The greatest length of a sign-in token's header that is read, in characters of Base64.
    static let signInHeaderCharacters = 512
    /// The greatest validity of a sign-in token, from its `iat` to its `exp`.
    static let signInTokenLife = Duration.seconds(600)
    /// The time by which a backend's clock may be ahead.
    static let signInClockSkew = Duration.seconds(60)
    /// The range of lengths of a sign-in key's id (`kid`), in bytes.
    static let signInKeyIDBytes = 1...64
    /// The number of sign-in keys that an app may have at once: the one in use, and the one that replaces it.
    static let liveSignInKeys = 2
    /// The length of a nonce that proves possession of a token, in bytes before they become hexadecimal.
    static let nonceBytes = 16

    // MARK: Sending

    /// The time for which a silent push of an assured message waits for its `shown` receipt, unless the operator sets another.
    static let assuredWait = Duration.seconds(60)
    /// The time for which silent pushes of a range-sent message wait; it is longer because their receipts come in over time.
    static let broadcastAssuredWait = Duration.seconds(15 * 60)
    /// The number of consecutive unanswered silent pushes after which the visible one follows at once.
    static let silentPushesBeforeFallbackAtOnce = 3
    /// The duration of a sender's leases, unless the operator sets another.
    static let leaseDuration = Duration.seconds(60)
    /// The shortest lease that an operator may choose, longer than a send may take.
    static let shortestLease = Duration.seconds(10)
    /// The time before a lease's end in which no push is handed to APNs.
    static let leaseMargin = Duration.seconds(5)
    /// The number of beats of a sender in the duration of a lease.
    static let beatsPerLease = 5
    /// The greatest number of missed beats that one look at another sender counts, even after a long pause.
    static let beatsPerLook = 2
    /// The interval at which a worker looks for work that another process accepted, unless the operator sets another.
    static let pollInterval = Duration.seconds(1)
    /// The greatest number of a sender's pushes in flight, including those whose outcome is not written down yet.
    static let pushesInFlight = 1100
    /// The number of places among them that bulk pushes leave to single messages.
    static let placesForSingleMessages = 100
    /// The part of bulk's places that must be free before bulk pushes are claimed, as a divisor.
    static let bulkParts = 2
    /// The greatest number of devices of a single message; a message to more is sent beside single messages, not before them.
    static let singleMessageDevices = 100
    /// The greatest number of deliveries that one claim leases, and of outcomes that one call writes down.
    static let pushesTogether = 500
    /// The greatest number of bulk pushes in a claim while single messages go out, and the time for which that lasts after the
    /// last.
    static let pushesBesideSingleMessages = 125
    static let quietAfterSingleMessage = Duration.seconds(1)
    /// The limits on bulk pushes in flight beside single messages (``BulkPlaces``).
    ///
    /// They are, in order: the places that are always left to bulk pushes, and the places gained by an answer that has not
    /// waited. Then the longest wait of a single message, and the time for which the fastest answer is remembered.
    static let leastBulkPlaces = 2 * pushesBesideSingleMessages
    static let bulkPlacesGained = 16
    static let longestWaitBehindBulk = Duration.milliseconds(10)
    static let fastestAnswerMemory = Duration.seconds(10)
    /// The greatest number of bulk pushes that a claim leases together with a single message.
    static let pushesWithSingleMessage = 50
    /// The width of a chunk in ordinals for a message to most devices, unless a store sets another.
    static let chunkDevices = 4096
    /// The greatest width of a chunk for a message to devices with a tag, as a multiple of ``chunkDevices``; a place has 16
    /// bits.
    static let widestTaggedChunk = 16
    /// The greatest width of a chunk for a message by another condition, which is evaluated on each device; a multiple too.
    static let widestAskedChunk = 4
    /// The number of ordinals that are sampled to estimate a message's audience, and the number of stretches they lie in.
    static let sampledDevices = 4096
    static let sampledStretches = 8
    /// The number of chunks of usual width that one claim plans; a wide chunk whose devices are each asked counts as several.
    static let chunksPlannedPerClaim = 4
    /// The amount of a step's work (``devicesPerStep``) that a recall, an end or a cancellation of one chunk counts as.
    static let roomPerChunk = 10
    /// The number of newest range-sent messages that a device's state is looked up for.
    ///
    /// An older message leaves a phone when its own `until` passes.
    static let liveBroadcasts = 100
    /// The length of the name of one run of a sender, in bytes before they become hexadecimal.
    static let senderNameBytes = 16
    /// The number of leases of a gone sender that are ended in one step.
    static let releasedPerStep = 500
    /// The number of removals in one push; with more, the push asks the device to sync.
    static let removalsPerPush = 20
    /// The number of pushes that are composed and handed to APNs' client together.
    static let pushesPerHandOver = 250
    /// The number of messages whose contents and encoded pushes are kept from one claim to the next.
    static let keptContents = 64
    /// The time for which outcomes of bulk pushes wait for others, to be written down together.
    static let longestOutcomeWait = Duration.milliseconds(50)
    /// The waits of a delivery after failures: 2 s at first, doubled up to the 15 minutes that Apple advises for a real outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// A time longer than any wait, be it after a failure, for a phone's answer or among token checks.
    ///
    /// A push that is due later was queued before the clock was set back, and is sent at once.
    static let longestTurn = Duration.seconds(2 * 3600)
    /// The number of unanswered attempts after which a delivery is given up, so that it cannot alert again.
    static let unansweredAttempts = 5
    /// The number of tries after which a 410 is believed even if it is older than the token's registration.
    static let staleRejections = 3
    /// The greatest time for which a delivery is tried; APNs itself keeps no push for longer.
    static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)
    /// The time for which an app stays stopped after APNs refused its credential, before one delivery probes it.
    static let credentialProbeInterval = Duration.seconds(5 * 60)
    /// The time for which an app whose pushes do not reach APNs stays stopped, before one delivery probes it.
    static let unreachableProbeInterval = Duration.seconds(10)
    /// The time for which an app's pushes may meet only failures before its sending stops with an alarm.
    static let sendingPatience = Duration.seconds(60)
    /// The time for which the worker waits after a failure of the store.
    static let storeFailureWait = Duration.seconds(1)

    /// The interval at which an app's missing credential is looked for again.
    static let missingCredentialInterval = Duration.seconds(5)
    /// The interval between the checks of an app's new tokens: 50 a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// The greatest length of an app's queue of token checks: 180,000 tokens.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// The time after a nonce in which the claimed token gets no further one.
    static let tokenClaimInterval = Duration.seconds(60)
    /// The validity of a nonce.
    static let tokenClaimLifetime = Duration.seconds(24 * 3600)

    /// The time for which a push waits for its response; a lease is several times as long.
    static let pushDeadline = Duration.seconds(15)

    // MARK: Storage

    /// The number of rows that a copy between engines reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// The number of steps after which the write-ahead log of a SQLite file that is being filled is copied into the file.
    static let stepsPerCheckpoint = 16
    /// The number of pages that a SQLite backup copies between two progress reports: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096
    /// The size of the page cache of SQLite's writer, in KiB; SQLite's own default is 2000.
    static let writerCacheKiB = 16_000
    /// The time for which one process waits for another's write to a shared SQLite file, in seconds.
    static let databaseBusySeconds = 10.0
    /// The greatest number of calls that share one transaction.
    static let callsPerCommit = 256
    /// The number of changed rows after which a transaction takes no further call.
    static let changesPerCommit = 1000
    /// The time after which a PostgreSQL statement is ended, in seconds.
    static let statementSeconds = 60
    /// The number of reading connections to PostgreSQL of one process; one more writes.
    static let readingConnections = 4
    /// The greatest number of calls that wait for a connection to PostgreSQL; further ones are refused.
    static let waitingReads = 10_000
    /// The number of statements that one connection keeps prepared; then it drops all and begins anew.
    static let preparedStatements = 1000
    /// The greatest number of statements that are sent to PostgreSQL before their answers are read.
    static let statementsSentAhead = 64
    /// The number of times that a group of calls is run if the engine rolls it back without the calls' fault.
    static let triesPerCommit = 5
    /// The greatest number of calls that wait for the writer; further ones are refused.
    static let waitingWrites = 10_000
    /// The length of the write-ahead log from which it is copied into the database, in pages of 4 KiB: 4 MiB, SQLite's default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of the write-ahead log from which the last of it is copied between two commits, in pages: 64 MiB.
    static let logPagesBeforeBetween = 16_384
    /// The size to which the log's file is cut when the log begins anew, in bytes.
    static let logFileBytes = 64 * 1024 * 1024
    /// The time for which emptying the log may delay a commit, in seconds.
    static let checkpointBusySeconds = 0.25
    /// The number of a message's devices that one transaction deals with; it changes up to ten rows for each.
    static let devicesPerStep = 100
    /// The number of rows that one transaction deletes of old messages, or changes for a user who is erased.
    static let rowsPerStep = 500
    /// The number of an erased user's own messages that one transaction empties.
    static let erasedMessagesPerStep = 5
    /// The time for which finished messages are kept, unless the operator sets another.
    static let retention = Duration.seconds(90 * 24 * 3600)
    /// The interval at which the purger looks for old messages.
    static let purgeInterval = Duration.seconds(3600)
    /// The interval at which the ends of certificates are checked.
    static let credentialInterval = Duration.seconds(3600)
    /// The interval at which the log repeats that a certificate ends soon.
    static let credentialReminder = Duration.seconds(86_400)
    /// The greatest number of devices that one step of addressing looks at.
    static let askedDevicesPerStep: Int64 = 5000
    /// The number of messages that one step of purging deletes.
    static let purgedPerStep = 500

    // MARK: Watching

    /// The interval at which a process checks whether another has written to the shared SQLite file.
    static let foreignWriteInterval = Duration.milliseconds(100)
    /// The number of newest messages whose changes by other processes a watcher is told.
    static let watchedMessages = 100
    /// The shortest interval between announcements to other processes, in milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// The waits before a lost listening connection is made again.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))

    /// The number of events that wait for a slow reader of the live feed; older ones are dropped.
    static let feedEvents = 1024
    /// The greatest number of readers of the live feed.
    static let feedReaders = 64
    /// The number of APNs' reasons that the metrics distinguish (APNs has 32); further ones are counted together.
    static let rejectionReasons = 64
}
