import CarillonCore
import NIOCore

/// The limits and times of the running service and its HTTP API.
///
/// Settings of the operator are in ``ServiceConfiguration``; their defaults are here and in ``DeliveryLimits``. The APNs client
/// has the times that Apple or a protocol prescribes for connections to APNs. The store and the decisions about deliveries use no
/// limit of this type.
enum ServiceLimits {
    // MARK: Requests

    /// The greatest length of a request target in bytes; the service refuses a longer target.
    ///
    /// [RFC 9112 §3](https://www.rfc-editor.org/rfc/rfc9112#section-3) requires at least 8000.
    static let requestTargetBytes = 8 * 1024
    /// The number of bytes at the beginning of a line by which the service distinguishes a request line from a header
    /// (``LineStart``).
    static let methodBytes = 64
    /// The time for which the service still reads from a connection after its last answer; then it closes the
    /// connection.
    static let lingering = TimeAmount.seconds(2)
    /// The longest time from the beginning of a connection to the end of its first request's head; then the service closes the
    /// connection.
    static let headTime = Duration.seconds(20)
    /// The longest time from an answer to the end of the next request's head; then the service closes the connection.
    ///
    /// Load balancers keep idle connections for 60 s at most. The service keeps them longer, so that the load
    /// balancer closes them first.
    static let idleTime = Duration.seconds(75)
    /// The longest time that a client may leave an answer unread; then the service closes the connection.
    static let answerTime = Duration.seconds(60)
    /// The longest time that the service waits for the rest of a request's body before it refuses the request.
    ///
    /// Each received part of the body extends this time, as ``bodyBytesPerSecond`` says.
    static let bodyTime = Duration.seconds(20)
    /// The number of received bytes that extend the time left for the rest of a request's body by one second.
    ///
    /// The time left never exceeds ``bodyTime``.
    static let bodyBytesPerSecond = 1024
    /// The greatest number of connections that are open at once, unless the operator sets another.
    ///
    /// The service closes further connections without an answer.
    static let connections = 16_384
    /// The greatest number of connections from one address that are open at once, unless the operator sets another.
    ///
    /// The service closes further connections without an answer.
    static let connectionsPerAddress = 1024
    /// The number of file descriptors that the service keeps free for the database, APNs and the log.
    static let otherDescriptors = 256
    /// The interval at which the log repeats a line about refused connections or installations.
    static let refusalReminder = Duration.seconds(60)
    /// The permissions of a Unix socket's file, where nobody chooses others: its owner and its group may connect.
    static let socketMode = 0o660
    /// The time for which a start waits while another program holds the lock on the folder of the service's Unix socket.
    static let socketFolderPatience = Duration.seconds(5)
    /// The interval at which such a start tries again.
    static let socketFolderPause = Duration.milliseconds(20)
    /// The time that HTTP requests under way have to finish when the service ends; then the service closes their connections.
    static let lastCalls = Duration.seconds(2)
    /// The longest time that the program runs on after it was asked to end, even if work is still in progress.
    static let longestEnd = Duration.milliseconds(9500)
    /// The greatest number of bytes of request bodies that all calls together hold in memory: a thousand of the largest bodies.
    static let bodiesInMemory = 256 * 1024 * 1024
    /// The largest body of a backend's call, in bytes; the service refuses a call with a larger one.
    static let backendBodyBytes = 64 * 1024
    /// The largest body of an app's call, in bytes; the service refuses a call with a larger one.
    ///
    /// A body with 500 receipts fits.
    static let appBodyBytes = 256 * 1024
    /// The largest body of an app's call about its installation, in bytes; the service refuses a call with a larger one.
    ///
    /// Anybody may register an installation. A sign-in token and as many tags as a device may have fit.
    static let installationBodyBytes = 16 * 1024
    /// The greatest number of users or devices that a request may name in its member `to`; the service refuses a request with
    /// more.
    static let namedRecipients = 1000
    /// The greatest number of notifications in one call of gorush, which is gorush's own default; a call with more is refused.
    static let doorNotifications = 100
    /// The length in bytes of the hash that stands for another service's id, where that is no id of a message.
    static let doorIdentifierBytes = 16
    /// The greatest number of pushes per second that a backend may set as its app's limit; the service refuses a greater number.
    static let sendsPerSecond = 100_000
    /// The longest time by which a message may be scheduled ahead; the service refuses a later time.
    static let longestSchedule = Duration.seconds(366 * 24 * 3600)
    /// The latest time that the API accepts: the last second of the year 9999, counted in seconds from 1970.
    ///
    /// The API rejects a greater number, which was probably meant as milliseconds.
    static let lastSecond = 253_402_300_799.0
    /// The greatest number of languages of one message, besides the language of the texts in the payload itself.
    ///
    /// The service refuses a message with more.
    static let localesPerMessage = 100
    /// The greatest number of variables of one recipient; the service refuses a message with more.
    static let variablesPerUser = 32
    /// The greatest number of bytes that the values of `with` may take, counted once for each user with values of his own.
    static let sharedValuesBytes = 1_000_000
    /// The size in bytes up to which a payload without texts in other languages certainly fits into a push.
    ///
    /// Carillon at most doubles the payload's size and adds its own key, in any delivery mode and payload format
    /// (``MessageDialect``). For a larger payload, the service composes a push to measure it.
    static let surelyFittingPayload = 1024
    /// The greatest length of an `Idempotency-Key`, in bytes; the service refuses a request with a longer key.
    static let idempotencyKeyBytes = 128
    /// The length in bytes of the random part of a message id that the service makes up.
    static let drawnMessageIDBytes = 10
    /// The length in bytes of the random part of an imported device's installation id.
    static let drawnInstallationIDBytes = 16
    /// The greatest number of receipts in one request; the service refuses a request with more.
    static let receiptsPerBatch = ReceiptBatch.countLimit
    /// The greatest length of a receipt's detail, in bytes of UTF-8; the service refuses a request with a longer detail.
    static let receiptDetailBytes = 200
    /// The greatest length of a reply that a person types into a notification, in bytes of UTF-8.
    ///
    /// The service refuses a request with a longer reply.
    static let replyBytes = Receipt.replyByteLimit
    /// The greatest number of tags of one device; the service refuses a request with more.
    static let tagsPerDevice = DeviceFacts.tagLimit
    /// The greatest length of an unknown path that an error response quotes, in characters; the response cuts a longer path.
    static let quotedPathCharacters = 200
    /// The greatest nesting depth of a body's JSON; the service refuses a body that is nested deeper.
    static let bodyDepth = 32
    /// The greatest number of new installations per minute from one address; the service answers further requests with 429.
    ///
    /// The operator can set another value.
    static let registrationsPerAddress = 60
    /// The greatest number of new installations per minute of one app; the service answers further requests with 429.
    ///
    /// The operator can set another value.
    static let registrationsPerApp = 6000
    /// The greatest number of addresses whose registrations the service counts.
    ///
    /// Beyond this number, the service forgets addresses from which no registration came lately.
    static let countedAddresses = 10_000
    /// The greatest number of calls per second of one installation, unless the operator sets another.
    ///
    /// The service answers further calls with 429.
    static let callsPerInstallation = 5
    /// The greatest number of calls per second of one API key, unless the operator sets another.
    ///
    /// The service answers further calls with 429.
    static let callsPerKey = 5000
    /// The time over which the limits of calls per second are averaged.
    ///
    /// A caller that was quiet may use up all calls of this time at once.
    static let callWindow = Duration.seconds(10)
    /// The number of body bytes that a caller may send per call, on average, if it makes all calls that its limit allows.
    ///
    /// A caller that makes fewer calls may send larger bodies.
    static let bytesPerCall = 16 * 1024
    /// The greatest number of callers of each kind whose calls the service counts.
    ///
    /// Beyond this number, the service forgets callers that have not called lately.
    static let countedCallers = 100_000
    /// The greatest number of entries of `X-Forwarded-For` or `Forwarded` that the service reads, counted from the last; it ignores the entries
    /// before.
    static let forwardedAddresses = 16
    /// The greatest number of one app's pushes that may wait to be sent; the service answers further messages with 429.
    ///
    /// The operator can set another value.
    static let backlog = 1_000_000
    /// The longest time for which the service relies on its last count of an app's waiting pushes; then it counts again.
    static let backlogAge = Duration.seconds(10)
    /// The longest time for which the service relies on a count of an app's waiting pushes that has reached the limit, and
    /// therefore refuses the app's new messages.
    ///
    /// Then the service counts again.
    static let fullBacklogAge = Duration.seconds(1)
    /// The longest time that one caller's count of waiting pushes may take; after this time, another caller counts.
    ///
    /// Nobody waits for the count: meanwhile, callers use the last count that has finished.
    static let longestCount = Duration.seconds(10)
    /// The time after which a backend may try again if too many pushes waited (429).
    static let backlogRetryAfter = Duration.seconds(5)
    /// The greatest size of one record of an imported file, in bytes; the import refuses a larger record and continues.
    static let importedRecordBytes = 16 * 1024
    /// The greatest number of refused records that an import's report lists.
    ///
    /// The report only counts further refused records.
    static let listedRefusals = 1000

    // MARK: Answers

    /// The greatest number of devices on one page of a timeline, and in the answer to a recall.
    static let devicesPerPage = 100
    /// The number of entries on one page of a list, if the caller asks for no other number.
    static let entriesPerPage = 20
    /// The greatest number of entries on one page of a list that a caller may ask for.
    static let mostEntriesPerPage = 100
    /// The greatest length of the mark with which a caller asks for the next page of a list of devices, in bytes.
    static let markBytes = 128
    /// The greatest number of messages on one page of an inbox, and of ids in one call that marks messages as read.
    ///
    /// The service refuses a call with more ids.
    static let messagesPerPage = 100

    /// The number of days that figures cover, if the caller names no first day.
    static let figureDays = 30
    /// The number of events of a page of a feed, if the reader names none.
    static let eventsPerPage = 100
    /// The greatest number of events of a page of a feed.
    static let longestEventPage = 1000
    /// The least time between two readings of a stream of events that has news.
    static let streamPause = Duration.milliseconds(50)
    /// The interval at which a stream of events without news shows that it lives, and at which its key is checked.
    static let streamSign = Duration.seconds(15)

    // MARK: Secrets

    /// The allowed lengths of an installation's secret, in hexadecimal characters.
    ///
    /// Two characters stand for one byte. The service refuses a registration with a secret of another length.
    static let secretCharacters = 64...256
    /// The length of an API key's public part in bytes, before hexadecimal encoding.
    static let apiKeyIDBytes = 8
    /// The length of an API key's secret part in bytes, before hexadecimal encoding.
    static let apiKeySecretBytes = 32
    /// The greatest length of an API key in bytes.
    ///
    /// The service rejects a longer text without reading the store.
    static let apiKeyBytes = 256
    /// The time for which a cached API key is used.
    ///
    /// A revoked key is refused after that time at the latest.
    static let apiKeyCacheLife = Duration.seconds(1)
    /// The remaining validity of a listener's TLS certificate below which the log gets a warning once a day.
    static let certificateWarning = Duration.seconds(30 * 86_400)
    /// The interval at which a process stores the times at which API keys were last used.
    static let keyUseInterval = Duration.seconds(60)
    /// The greatest number of API keys in the cache.
    ///
    /// A full cache drops the keys that are too old to be used. If no key is too old, it drops all keys.
    static let cachedAPIKeys = 1000
    /// The length of the shortest secret for sign-in tokens, in bytes; the service does not start with a shorter secret.
    ///
    /// The hash of HS256 has this length ([RFC 7518, section 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)).
    static let signInSecretBytes = 32
    /// The size of a webhook's secret, in random bytes.
    static let webhookSecretBytes = 32
    /// The time for which a webhook's former secret signs too, after a rotation.
    static let webhookOverlap = Duration.seconds(24 * 3600)
    /// The greatest length of a sign-in token in bytes; the service refuses a longer token.
    static let signInTokenBytes = 2048
    /// The greatest length of a sign-in token's header, in characters of Base64; the service refuses a token with a longer
    /// header.
    static let signInHeaderCharacters = 512
    /// The longest validity of a sign-in token, from its `iat` to its `exp`; the service refuses a token that is valid for
    /// longer.
    static let signInTokenLife = Duration.seconds(600)
    /// The greatest time by which a backend's clock may be ahead of the service's clock.
    ///
    /// The service refuses a sign-in token whose `iat` is further ahead.
    static let signInClockSkew = Duration.seconds(60)
    /// The range of lengths of a sign-in key's id (`kid`), in bytes.
    static let signInKeyIDBytes = 1...64
    /// The length of a nonce that proves that an installation holds a device token, in bytes before hexadecimal encoding.
    static let nonceBytes = 16

    // MARK: Sending

    /// The shortest lease that an operator may set.
    ///
    /// A lease is a sender's exclusive right to send a delivery. It must last longer than one push to APNs may take.
    static let shortestLease = Duration.seconds(10)
    /// The length of the random name under which a sender registers, in bytes before hexadecimal encoding.
    static let senderNameBytes = 16
    /// The greatest number of leases (exclusive rights to send a delivery) that one step takes away from an ended
    /// sender.
    static let releasedPerStep = 500
    /// The greatest number of pushes that are composed and handed to the APNs client together.
    static let pushesPerHandOver = 250

    // MARK: Channels

    /// The greatest number of requests about broadcast channels at a time.
    static let channelRequests = 16

    // MARK: Webhooks

    /// The greatest number of requests to webhooks at a time.
    static let webhookRequests = 128
    /// The greatest number of these that go to webhooks whose last attempt has failed; the others are for the other webhooks.
    static let failingWebhookRequests = 32
    /// The greatest number of webhooks for which a sender reads events in one call to the store.
    static let webhooksPerClaim = 8
    /// The longest time that a request to a webhook may take.
    static let webhookTime = Duration.seconds(15)
    /// The greatest length of a webhook's address, in bytes.
    static let webhookURLBytes = 2048
    /// The interval at which a sender looks for requests without being woken, such as those of a sender that has ended.
    static let webhookInterval = Duration.seconds(5)

    // MARK: Upkeep

    /// The time that the store keeps finished messages.
    ///
    /// The operator can set another value.
    static let retention = Duration.seconds(90 * 24 * 3600)
    /// The interval at which the purger looks for old messages.
    static let purgeInterval = Duration.seconds(3600)
    /// The interval at which the purger looks for removed apps.
    static let removedAppInterval = Duration.seconds(5)
    /// The interval at which the expiry dates of certificates are checked.
    static let credentialInterval = Duration.seconds(3600)
    /// The interval at which the service checks the files of credentials and of the listeners' TLS certificates for changes.
    static let changedCredentialInterval = Duration.seconds(5)
    /// The interval at which the log repeats that a certificate expires soon.
    static let credentialReminder = Duration.seconds(86_400)
    /// The greatest number of messages that the purger deletes in one step.
    static let purgedPerStep = 500

    /// The longest time that a probe of the service's health waits for the store.
    static let probePatience = Duration.seconds(1)
    /// The time for which a writing transaction may be waited for until `/readyz` and `/healthz` say that the database does not
    /// answer.
    static let writerPatience = Duration.seconds(5)

    /// The time for which a health check relies on the last write to the store; then a check writes again.
    static let writeProofAge = Duration.seconds(5)

    // MARK: Watching

    /// The interval at which a process checks whether another has written to the shared SQLite file.
    static let foreignWriteInterval = Duration.milliseconds(100)
    /// The greatest number of events that wait for a slow reader of the live feed.
    ///
    /// Older events are dropped.
    static let feedEvents = 1024
    /// The greatest number of readers of the live feed at once; a further reader gets no stream.
    static let feedReaders = 64

    // MARK: Metrics

    /// For each app, the greatest number of pairs (a push's outcome and its rejection reason) that the metrics count separately.
    ///
    /// Further reasons of one outcome are counted together. Apple documents 32 reasons.
    static let rejectionReasons = 64
    /// The greatest number of apps that the metrics distinguish; further ones are counted together as `other`.
    static let labelledApps = 100
    /// The time for which the metrics use one reading of the queues.
    static let queueReadingAge = Duration.seconds(5)
    /// The interval at which a process looks for broadcasts (messages to everyone or to a condition) that have begun or ended, to
    /// log them.
    static let broadcastInterval = Duration.seconds(5)
    /// The greatest number of broadcasts (messages to everyone or to a condition) that a process watches at once, to log when
    /// each begins and ends.
    ///
    /// The process logs nothing about further broadcasts.
    static let watchedBroadcasts = 100
}
