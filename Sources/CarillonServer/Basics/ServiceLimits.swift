import CarillonCore

/// Every bound and every time of the service, in one place.
///
/// What an operator may change is in ``ServiceConfiguration``, whose defaults stand here too. Times that Apple or a
/// protocol prescribes for the connection to APNs belong to the APNs client.
enum ServiceLimits {
    // MARK: Requests

    /// The largest body of a backend's call, bytes.
    static let backendBodyBytes = 64 * 1024
    /// The largest body of an app's call (500 receipts fit), bytes.
    static let appBodyBytes = 256 * 1024
    /// Users or devices named in one `to`.
    static let namedRecipients = 1000
    /// The most pushes of an app in a second that can be asked for.
    static let sendsPerSecond = 100_000
    /// How far ahead a message may be scheduled.
    static let longestSchedule = Duration.seconds(366 * 24 * 3600)
    /// The last second of the year 9999, since 1970: what is more was meant as milliseconds.
    static let lastSecond = 253_402_300_799.0
    /// Languages of one message, beside its payload's own.
    static let localesPerMessage = 100
    /// Values of one user for the variables of a message.
    static let variablesPerUser = 32
    /// A payload without other texts that surely fits into a push, bytes.
    ///
    /// Whatever Carillon adds to it, in any mode and dialect, is at most twice as much again and its own key. What is larger
    /// is composed to be measured.
    static let surelyFittingPayload = 1024
    /// Devices of an app all of whose messages have a row for each device; an app with more sends to everyone, and by a
    /// condition, by ranges.
    static let devicesWithRows = 1000
    /// Devices of one message that has a row for each.
    static let audienceDevices = 10_000
    /// The length of a user's id, bytes of UTF-8.
    static let userIDBytes = 128
    /// The length of an `Idempotency-Key`, bytes.
    static let idempotencyKeyBytes = 128
    /// The random part of an id for a message whose caller names none, bytes before they become hexadecimal.
    static let drawnMessageIDBytes = 10
    /// The random part of an id for an imported installation whose record names none, bytes.
    static let drawnInstallationIDBytes = 16
    /// Receipts of one request.
    static let receiptsPerBatch = ReceiptBatch.countLimit
    /// The length of a receipt's detail, bytes of UTF-8.
    static let receiptDetailBytes = 200
    /// The length of a reply that a person typed into a notification, bytes of UTF-8.
    static let replyBytes = Receipt.replyByteLimit
    /// The parts of the notice in the place of a recalled message, bytes of UTF-8: it fits into any push.
    static let noticeTitleBytes = 200
    static let noticeBodyBytes = 800
    /// Receipts that one device may give about one message; further ones are ignored.
    static let receiptsPerDeviceAndMessage = 50
    /// Tags of one device.
    static let tagsPerDevice = DeviceFacts.tagLimit
    /// The length of one tag, of a locale, a time zone or an app's version, bytes of UTF-8.
    static let labelBytes = 64
    /// How much of an unknown path a problem quotes, characters.
    static let quotedPathCharacters = 200
    /// How much of an unknown key a problem quotes, and compares with the known ones, characters.
    static let quotedKeyCharacters = 64

    /// Installations bound to one user; with one more, the one that was heard of least recently is signed out.
    static let devicesPerUser = 100
    /// How deep a body's JSON may be nested.
    static let bodyDepth = 32
    /// Requests for a new installation that one address may make in a minute, unless the operator says otherwise.
    static let registrationsPerAddress = 60
    /// Requests for a new installation that an app takes in a minute, unless the operator says otherwise.
    static let registrationsPerApp = 6000
    /// Addresses whose registrations are counted at once; beyond that the one that was heard of least recently is forgotten.
    static let countedAddresses = 10_000
    /// Entries of `X-Forwarded-For` that are looked at, from the last.
    static let forwardedAddresses = 16

    /// Pushes of one app that may wait to be sent, unless the operator says otherwise.
    static let backlog = 1_000_000
    /// How long a count of what waits is good for, and how long one that says "too much".
    static let backlogAge = Duration.seconds(10)
    static let fullBacklogAge = Duration.seconds(1)
    /// When a caller that sends too much may try again.
    static let backlogRetryAfter = Duration.seconds(5)

    /// One record of an imported file, bytes.
    static let importedRecordBytes = 16 * 1024
    /// Devices that one step imports.
    static let importedPerStep = 500
    /// Refused records that the report of an import lists; the rest is counted.
    static let listedRefusals = 1000

    // MARK: Answers

    /// Events shown for one device in a timeline, the newest of them.
    static let timelineEventsPerDevice = 200
    /// Devices that one look-up of a timeline asks at a time, where they have no rows, and how often.
    static let timelineLook = 1000
    static let timelineLooks = 50
    /// Devices on one page of a timeline, and in the answer to a recall.
    static let devicesPerPage = 100
    /// Messages on one page of an inbox, and ids in one call that marks as read.
    static let messagesPerPage = 100
    /// Removals told in one answer to a device.
    static let removalsPerSync = 500

    // MARK: Secrets

    /// The length of an installation's secret, characters of hexadecimal: 32 to 128 bytes.
    static let secretCharacters = 64...256
    /// The public part of an API key, bytes before they become hexadecimal.
    static let apiKeyIDBytes = 8
    /// The secret part of an API key, bytes before they become hexadecimal.
    static let apiKeySecretBytes = 32
    /// The longest API key that is looked up at all, bytes.
    static let apiKeyBytes = 256
    /// How long an API key is believed in that was looked up; after so long at most a revoked one is refused.
    static let apiKeyCacheLife = Duration.seconds(1)
    /// API keys that are known without looking them up.
    static let cachedAPIKeys = 1000
    /// The shortest secret for sign-in tokens, bytes: as long as the hash of HS256
    /// ([RFC 7518, section 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)).
    static let signInSecretBytes = 32
    /// The longest sign-in token that is read at all, bytes.
    static let signInTokenBytes = 2048
    /// The longest header of a sign-in token that is read, characters of Base64.
    static let signInHeaderCharacters = 512
    /// How long a sign-in token may be valid, from its `iat` to its `exp`.
    static let signInTokenLife = Duration.seconds(600)
    /// How far a backend's clock may be ahead.
    static let signInClockSkew = Duration.seconds(60)
    /// The length of a sign-in key's id (`kid`), bytes.
    static let signInKeyIDBytes = 1...64
    /// Sign-in keys that an app may have at once: the one in use, and the one that replaces it.
    static let liveSignInKeys = 2
    /// The nonce that proves who holds a token, bytes before they become hexadecimal.
    static let nonceBytes = 16

    // MARK: Sending

    /// How long a silent push of an assured message waits for its `shown` receipt, unless the operator says otherwise.
    static let assuredWait = Duration.seconds(60)
    /// The same for a message that is sent by ranges: its receipts come in over this time, not all at once.
    static let broadcastAssuredWait = Duration.seconds(15 * 60)
    /// After so many silent pushes in a row without an answer, the visible one follows at once.
    static let silentPushesBeforeFallbackAtOnce = 3
    /// How long a worker owns what it has leased, unless the operator says otherwise.
    static let leaseDuration = Duration.seconds(60)
    /// The shortest lease that an operator may choose: longer than a send may take.
    static let shortestLease = Duration.seconds(10)
    /// Nothing is handed to APNs so shortly before a lease ends.
    static let leaseMargin = Duration.seconds(5)
    /// A sender shows that it lives so many times a lease.
    static let beatsPerLease = 5
    /// Who looks at another sender seldom takes it to have missed no more than so many beats since the last look.
    static let beatsPerLook = 2
    /// How often a worker looks for work that another process accepted, unless the operator says otherwise.
    static let pollInterval = Duration.seconds(1)
    /// Pushes that a sender has in flight at most, with those whose outcome is not written down yet.
    static let pushesInFlight = 1100
    /// Places among them that pushes to many devices leave to single messages.
    static let placesForSingleMessages = 100
    /// Pushes to many devices are claimed when one of so many parts of their places is free.
    static let bulkParts = 2
    /// A message to more devices than this is sent beside single messages, not before them.
    static let singleMessageDevices = 100
    /// Deliveries that one claim leases at most, and outcomes that are written down in one call.
    static let pushesTogether = 500
    /// The same while single messages go out, and for how long after the last of them.
    static let pushesBesideSingleMessages = 125
    static let quietAfterSingleMessage = Duration.seconds(1)
    /// Places of pushes to many devices that are left to them beside single messages, however long those wait; how many they
    /// gain by an answer that has not waited; how long one may wait; and how long the fastest answer is remembered.
    static let leastBulkPlaces = 2 * pushesBesideSingleMessages
    static let bulkPlacesGained = 16
    static let longestWaitBehindBulk = Duration.milliseconds(10)
    static let fastestAnswerMemory = Duration.seconds(10)
    /// Pushes to many devices that a claim leases together with a single message.
    static let pushesWithSingleMessage = 50
    /// Ordinals of a chunk of a message that is sent by ranges to most of them, unless a store is told otherwise.
    static let chunkDevices = 4096
    /// The same where only few of them have a tag that is asked for, in times of that: a place has 16 bits.
    static let widestTaggedChunk = 16
    /// The same where few fulfil another condition, of which each is asked.
    static let widestAskedChunk = 4
    /// Ordinals that are asked to find out how many a message is for, and in how many stretches.
    static let sampledDevices = 4096
    static let sampledStretches = 8
    /// Chunks that one claim plans at most; of wide ones whose devices are each asked, as many as have the same ordinals.
    static let chunksPlannedPerClaim = 4
    /// What a chunk counts when it is recalled, ended or cancelled, beside devices that have rows (``devicesPerStep``).
    static let roomPerChunk = 10
    /// Messages sent by ranges whose removal a device may be asked for, the newest of them; an older one's phones learn of it
    /// by the message's own end.
    static let liveBroadcasts = 100
    /// The name of one run of a sender, bytes before they become hexadecimal.
    static let senderNameBytes = 16
    /// Leases of a sender that is gone which are ended in one step.
    static let releasedPerStep = 500
    /// Removals that travel in one push; with more, the push asks the device to sync.
    static let removalsPerPush = 20
    /// Pushes that are composed and handed to APNs' client together.
    static let pushesPerHandOver = 250
    /// Pushes to many devices that are kept encoded from one claim to the next: of so many messages, in their languages.
    static let keptTemplates = 64
    /// How long outcomes of pushes to many devices wait for others, to be written down with them.
    static let longestOutcomeWait = Duration.milliseconds(50)
    /// How long a delivery waits after a failure: 2 s at first, doubled up to the 15 minutes that Apple advises for a real
    /// outage.
    static let deliveryBackoff = Backoff(first: .seconds(2), longest: .seconds(15 * 60))
    /// Longer than anything waits for its turn, be it after a failure, for a phone's answer or among token checks: what is
    /// due later was queued before the clock was set back, and goes at once.
    static let longestTurn = Duration.seconds(2 * 3600)
    /// Attempts whose answer never came, after which a delivery is given up rather than risk another alert.
    static let unansweredAttempts = 5
    /// Attempts after which a 410 older than the token's registration is believed all the same.
    static let staleRejections = 3
    /// How long a delivery is tried at most; APNs itself keeps nothing for longer.
    static let deliveryLifetime = Duration.seconds(30 * 24 * 3600)
    /// How long an app stays stopped after APNs refused its credential, before one delivery tries it again.
    static let credentialProbeInterval = Duration.seconds(5 * 60)
    /// How long an app whose pushes do not reach APNs stays stopped before one delivery tries again.
    static let unreachableProbeInterval = Duration.seconds(10)
    /// How long an app's pushes may meet nothing but failures before its sending stops with an alarm.
    static let sendingPatience = Duration.seconds(60)
    /// How long the worker waits when the store itself fails.
    static let storeFailureWait = Duration.seconds(1)

    /// How long an app waits before the credential that it lacks is looked for again.
    static let missingCredentialInterval = Duration.seconds(5)
    /// New tokens are tried so long after one another, in each app: 50 a second.
    static let tokenCheckInterval = Duration.milliseconds(20)
    /// How far ahead new tokens get their turn, at most: 180,000 of them.
    static let longestTokenCheckQueue = Duration.seconds(3600)
    /// A token that is claimed gets no further nonce so soon.
    static let tokenClaimInterval = Duration.seconds(60)
    /// How long a nonce is good for.
    static let tokenClaimLifetime = Duration.seconds(24 * 3600)

    /// How long a push waits for its response; a lease is several times as long.
    static let pushDeadline = Duration.seconds(15)

    // MARK: Storage

    /// Rows that a copy from one engine to the other reads and writes in one step.
    static let copiedRowsPerStep = 2000
    /// Steps after which the write-ahead log of a SQLite file that is copied into is copied into the file itself.
    static let stepsPerCheckpoint = 16
    /// Pages of a SQLite database that a backup copies before it tells how far it is: 16 MiB.
    static let backupPagesPerStep: Int32 = 4096
    /// Pages of a SQLite database that its writer keeps in memory, KiB; SQLite's own default is 2000.
    static let writerCacheKiB = 16_000
    /// How long one process waits for another's write to the same SQLite file, seconds.
    static let databaseBusySeconds = 10.0
    /// Calls that share one transaction.
    static let callsPerCommit = 256
    /// Rows changed in one transaction, after which it takes no further call.
    static let changesPerCommit = 1000
    /// A statement of PostgreSQL's that takes longer is ended, seconds.
    static let statementSeconds = 60
    /// Connections to PostgreSQL that read, of one process; one more writes.
    static let readingConnections = 4
    /// Calls that wait for a connection to PostgreSQL; further ones are refused.
    static let waitingReads = 10_000
    /// Statements that one connection keeps prepared; then it begins anew.
    static let preparedStatements = 1000
    /// Statements that are sent to PostgreSQL before their answers are read.
    static let statementsSentAhead = 64
    /// How often a group of calls is run, where the engine undoes it without their fault.
    static let triesPerCommit = 5
    /// Calls that wait for the writer; further ones are refused.
    static let waitingWrites = 10_000
    /// The length of the write-ahead log, from which it is copied into the database, pages of 4 KiB: 4 MiB, as SQLite has
    /// it by default.
    static let logPagesBeforeCheckpoint = 1000
    /// The length of the write-ahead log, from which the last of it is copied between two commits, pages: 64 MiB.
    static let logPagesBeforeBetween = 16_384
    /// The size to which the log's file is cut when it begins anew, bytes.
    static let logFileBytes = 64 * 1024 * 1024
    /// How long a commit may be held up to empty the log, seconds.
    static let checkpointBusySeconds = 0.25
    /// Devices of a message that one transaction deals with, of each of which it changes up to ten rows.
    static let devicesPerStep = 100
    /// Rows that one transaction deletes of old messages, or changes of a user who is erased.
    static let rowsPerStep = 500
    /// Messages of a user who is erased which one transaction empties: they are for the user's own devices.
    static let erasedMessagesPerStep = 5
    /// How long messages that are done are kept, unless the operator says otherwise.
    static let retention = Duration.seconds(90 * 24 * 3600)
    /// How often the purger looks for what is older.
    static let purgeInterval = Duration.seconds(3600)
    /// How often the end of certificates is looked at.
    static let credentialInterval = Duration.seconds(3600)
    /// How often the log speaks of one that ends soon.
    static let credentialReminder = Duration.seconds(86_400)
    /// Devices of an app that one step asks whether a message is for them, at most.
    static let askedDevicesPerStep: Int64 = 5000
    /// Messages that one step of purging deletes.
    static let purgedPerStep = 500

    // MARK: Watching

    /// How often a process looks whether another has written to the same SQLite file.
    static let foreignWriteInterval = Duration.milliseconds(100)
    /// The newest messages, of which a watcher is told that another process has changed them.
    static let watchedMessages = 100
    /// Announcements to other processes are at least so far apart, milliseconds.
    static let announcementMilliseconds: Int32 = 20
    /// How long a lost listening connection waits before it is made again.
    static let listeningBackoff = Backoff(first: .milliseconds(100), longest: .seconds(10))

    /// Events that wait for a slow reader of the live feed; older ones are dropped for it.
    static let feedEvents = 1024
    /// Readers of the live feed at once.
    static let feedReaders = 64
    /// Reasons of APNs that the metrics tell apart (APNs has 32); further ones are counted together.
    static let rejectionReasons = 64
}
