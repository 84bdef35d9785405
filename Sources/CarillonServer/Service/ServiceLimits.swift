import CarillonCore
import NIOCore

/// The limits and times of the running service and its HTTP API.
///
/// Settings of the operator are in ``ServiceConfiguration``; their defaults are here and in ``DeliveryLimits``. Times that
/// Apple or a protocol prescribes for connections to APNs belong to the APNs client. Neither the store nor the decisions about
/// deliveries use these limits.
enum ServiceLimits {
    // MARK: Requests

    /// The greatest length of a request target in bytes; [RFC 9112 §3](https://www.rfc-editor.org/rfc/rfc9112#section-3)
    /// requires at least 8000.
    static let requestTargetBytes = 8 * 1024
    /// The number of bytes of a line that are kept to distinguish a request line from a header.
    static let methodBytes = 64
    /// The time for which a connection's input stays open after its last answer.
    static let lingering = TimeAmount.seconds(2)
    /// The times that a client has: for a connection's first head, for the next one, and to read an answer.
    ///
    /// Load balancers keep idle connections for 60 s at most; the service keeps them longer, so that it is not the one to end them.
    static let headTime = Duration.seconds(20)
    static let idleTime = Duration.seconds(75)
    static let answerTime = Duration.seconds(60)
    /// The time that a client has for a body, and the bytes of it that buy a second more.
    static let bodyTime = Duration.seconds(20)
    static let bodyBytesPerSecond = 1024
    /// The numbers of connections that are open at once, in all and of one address, unless the operator sets others.
    static let connections = 16_384
    static let connectionsPerAddress = 1024
    /// The number of descriptors that are left to the database, APNs and the log.
    static let otherDescriptors = 256
    /// The interval at which the log repeats that connections are refused.
    static let refusalReminder = Duration.seconds(60)
    /// The time for which calls under way are answered when the service ends.
    static let lastCalls = Duration.seconds(2)
    /// The time after which the program ends that was asked to, whatever it waits for.
    static let longestEnd = Duration.milliseconds(9500)
    /// The largest body of a backend's call, in bytes.
    static let backendBodyBytes = 64 * 1024
    /// The largest body of an app's call, in bytes; 500 receipts fit into it.
    static let appBodyBytes = 256 * 1024
    /// The greatest number of users or devices named in one `to`.
    static let namedRecipients = 1000
    /// The greatest value of an app's limit of pushes per second.
    static let sendsPerSecond = 100_000
    /// The longest time for which a message may be scheduled ahead.
    static let longestSchedule = Duration.seconds(366 * 24 * 3600)
    /// The last second of the year 9999, counted from 1970.
    ///
    /// A greater number was meant as milliseconds.
    static let lastSecond = 253_402_300_799.0
    /// The greatest number of languages of one message, in addition to the payload's own language.
    static let localesPerMessage = 100
    /// The greatest number of variables of one recipient.
    static let variablesPerUser = 32
    /// The size in bytes up to which a payload without other texts certainly fits into a push.
    ///
    /// In any mode and dialect, Carillon adds at most twice the payload's size and its own key. A larger payload is composed to
    /// measure it.
    static let surelyFittingPayload = 1024
    /// The greatest length of an `Idempotency-Key`, in bytes.
    static let idempotencyKeyBytes = 128
    /// The length in bytes of the random part of a message id that the service draws.
    static let drawnMessageIDBytes = 10
    /// The length in bytes of the random part of an imported installation's id.
    static let drawnInstallationIDBytes = 16
    /// The greatest number of receipts in one request.
    static let receiptsPerBatch = ReceiptBatch.countLimit
    /// The greatest length of a receipt's detail, in bytes of UTF-8.
    static let receiptDetailBytes = 200
    /// The greatest length of a reply that a person types into a notification, in bytes of UTF-8.
    static let replyBytes = Receipt.replyByteLimit
    /// The greatest number of tags of one device.
    static let tagsPerDevice = DeviceFacts.tagLimit
    /// The greatest length of an unknown path that a problem quotes, in characters.
    static let quotedPathCharacters = 200
    /// The greatest nesting depth of a body's JSON.
    static let bodyDepth = 32
    /// The number of new installations per minute from one address.
    ///
    /// The operator can set another value.
    static let registrationsPerAddress = 60
    /// The number of new installations per minute of one app.
    ///
    /// The operator can set another value.
    static let registrationsPerApp = 6000
    /// The number of addresses whose registrations are counted; beyond it, those not seen lately are forgotten.
    static let countedAddresses = 10_000
    /// The numbers of calls a second of one installation and of one API key, unless the operator sets others.
    static let callsPerInstallation = 5
    static let callsPerKey = 5000
    /// The time for which calls may come faster than that, if none came before.
    static let callWindow = Duration.seconds(10)
    /// The number of bytes that a call's body may have on average, of calls at their limit.
    static let bytesPerCall = 16 * 1024
    /// The number of callers of each kind whose calls are counted; beyond it, those not seen lately are forgotten.
    static let countedCallers = 100_000
    /// The number of entries of `X-Forwarded-For` that are read, counted from the last.
    static let forwardedAddresses = 16
    /// The number of one app's pushes that may wait to be sent.
    ///
    /// The operator can set another value.
    static let backlog = 1_000_000
    /// The ages up to which a count of waiting pushes is used: a count below the limit, and one at the limit (`full`).
    static let backlogAge = Duration.seconds(10)
    static let fullBacklogAge = Duration.seconds(1)
    /// The time for which one caller's count is waited for before another counts.
    static let longestCount = Duration.seconds(10)
    /// The time after which a caller that was answered 429 may try again.
    static let backlogRetryAfter = Duration.seconds(5)
    /// The greatest size of one record of an imported file, in bytes.
    static let importedRecordBytes = 16 * 1024
    /// The number of refused records that an import's report lists.
    ///
    /// Further records are only counted.
    static let listedRefusals = 1000

    // MARK: Answers

    /// The number of devices on one page of a timeline, and in the answer to a recall.
    static let devicesPerPage = 100
    /// The number of messages on one page of an inbox, and of ids in one call that marks messages as read.
    static let messagesPerPage = 100

    // MARK: Secrets

    /// The range of lengths of an installation's secret, in hexadecimal characters: 32 to 128 bytes.
    static let secretCharacters = 64...256
    /// The length of an API key's public part in bytes, before hexadecimal encoding.
    static let apiKeyIDBytes = 8
    /// The length of an API key's secret part in bytes, before hexadecimal encoding.
    static let apiKeySecretBytes = 32
    /// The greatest length of an API key in bytes.
    ///
    /// A longer text is not looked up.
    static let apiKeyBytes = 256
    /// The time for which a cached API key is valid.
    ///
    /// After it, a revoked key is refused.
    static let apiKeyCacheLife = Duration.seconds(1)
    /// The number of API keys in the cache.
    static let cachedAPIKeys = 1000
    /// The shortest secret for sign-in tokens, in bytes.
    ///
    /// It is the length of HS256's hash ([RFC 7518, section 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)).
    static let signInSecretBytes = 32
    /// The greatest length of a sign-in token in bytes.
    ///
    /// A longer token is refused.
    static let signInTokenBytes = 2048
    /// The greatest length of a sign-in token's header, in characters of Base64.
    static let signInHeaderCharacters = 512
    /// The longest validity of a sign-in token, from its `iat` to its `exp`.
    static let signInTokenLife = Duration.seconds(600)
    /// The time by which a backend's clock may be ahead of the service's clock.
    static let signInClockSkew = Duration.seconds(60)
    /// The range of lengths of a sign-in key's id (`kid`), in bytes.
    static let signInKeyIDBytes = 1...64
    /// The length of a nonce that proves possession of a token, in bytes before hexadecimal encoding.
    static let nonceBytes = 16

    // MARK: Sending

    /// The shortest lease that an operator may set.
    ///
    /// It is longer than a send may take.
    static let shortestLease = Duration.seconds(10)
    /// The length of the name of one sender's run, in bytes before hexadecimal encoding.
    static let senderNameBytes = 16
    /// The number of a gone sender's leases that are ended in one step.
    static let releasedPerStep = 500
    /// The number of pushes that are composed and handed to the APNs client together.
    static let pushesPerHandOver = 250

    // MARK: Upkeep

    /// The time for which finished messages are kept.
    ///
    /// The operator can set another value.
    static let retention = Duration.seconds(90 * 24 * 3600)
    /// The interval at which the purger looks for old messages.
    static let purgeInterval = Duration.seconds(3600)
    /// The interval at which the expiry dates of certificates are checked.
    static let credentialInterval = Duration.seconds(3600)
    /// The interval at which files of credentials are looked at for changes.
    static let changedCredentialInterval = Duration.seconds(5)
    /// The interval at which the log repeats that a certificate ends soon.
    static let credentialReminder = Duration.seconds(86_400)
    /// The number of messages that one step of purging deletes.
    static let purgedPerStep = 500

    /// The time for which a probe of the service's health waits for the store.
    static let probePatience = Duration.seconds(1)

    // MARK: Watching

    /// The interval at which a process checks whether another has written to the shared SQLite file.
    static let foreignWriteInterval = Duration.milliseconds(100)
    /// The number of events that wait for a slow reader of the live feed.
    ///
    /// Older events are dropped.
    static let feedEvents = 1024
    /// The greatest number of readers of the live feed.
    static let feedReaders = 64
    /// The number of APNs' reasons that the metrics distinguish.
    ///
    /// APNs has 32; further ones are counted together.
    static let rejectionReasons = 64
}
