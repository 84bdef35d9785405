import CarillonCore

/// The fixed limits of a client; the limits that its user may set are in ``APNsLimits``.
///
/// Limits that RFC 9113, RFC 7541 or Apple lay down stand where they are obeyed, beside their source.
enum ClientLimits {
    // MARK: Requests

    /// The size limit of a topic, in bytes: far above any bundle id, and low enough for the header block to fit in one frame.
    static let topicByteLimit = 1024
    /// The longest deadline; a longer one is shortened to it, because it could overflow arithmetic.
    static let longestDeadline: Duration = .seconds(86_400 * 365)
    /// The number of ended requests, beyond twice the open ones, at which a queue removes the ended ones.
    static let endedEntriesKept = 64
    /// The most elements for which a reused array keeps its memory.
    static let keptCapacity = 4096

    // MARK: Channels

    /// The size limit of a bundle id, in bytes: far above any.
    static let bundleIDByteLimit = 255
    /// The size limit of a channel's id, in bytes: Apple's are 16 bytes in base64, but that is not documented to stay so.
    static let channelIDByteLimit = 256
    /// "The maximum payload size for a broadcast push notification is 5 KB"
    /// ([Sending broadcast push notification requests](https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns)).
    static let broadcastByteLimit = 5120
    /// The size limit of an answer about channels, in bytes: a list of 10,000, an app's maximum, takes some 300 KB.
    static let channelAnswerByteLimit = 1 << 20

    // MARK: Connections

    /// The number of streams that the client opens on a connection whose server sets no limit.
    static let streamsWithoutLimit = 100
    /// The number of open streams below which another connection would not make answers come sooner.
    static let streamsWorthSpreading = 20
    /// The most addresses whose last attempt failed that are remembered.
    static let failedAddressesKept = 64
    /// The wait at a step of connecting from which on it explains better than an earlier problem why requests wait.
    static let stepWorthNaming: Duration = .seconds(1)
    /// The largest write buffer, in bytes; up to it, the next buffer is as large as the last one was.
    static let writeBufferByteLimit = 256 * 1024

    // MARK: What a server may send

    /// The size limit of one header block, in bytes, over all its frames.
    static let headerBlockByteLimit = 32 * 1024
    /// The most frames of one header block; without it, empty CONTINUATION frames would be unlimited.
    static let headerFrameLimit = 16
    /// SETTINGS_MAX_HEADER_LIST_SIZE, in bytes; the headers of an APNs answer have some hundred.
    static let headerListByteLimit = 16 * 1024
    /// The most PINGs and SETTINGS that are answered while the server does not read the answers.
    static let unreadReplyLimit = 1000
    /// The size limit of an error's body, in bytes: a longer body is not APNs' JSON, and its rest is ignored.
    static let errorBodyByteLimit = 4096

    // MARK: Provider tokens

    /// The greatest number of certificates in a file that are compared with its key.
    static let certificatesPerFile = 100

    /// The greatest age at which a connection may start to use a token.
    ///
    /// It keeps the token until ``tokenKeptUntilAge``: so it changes its token every 20 minutes at most, as Apple demands, and
    /// no token is older than an hour.
    static let tokenTakenUntilAge: Duration = .seconds(30 * 60)
    /// The age of a token at which a connection changes it.
    static let tokenKeptUntilAge: Duration = .seconds(50 * 60)
    /// The difference between wall clock and steady clock from which a new token may succeed where another was rejected.
    static let clockJump: Duration = .seconds(5 * 60)
    /// The time before a client certificate's end in which the client warns of it.
    static let certificateWarning: Duration = .seconds(30 * 86_400)
    /// The interval of those warnings.
    static let certificateWarningInterval: Duration = .seconds(86_400)
    /// The number of signed tokens in the cache: two are in use at a time, and two more while a key is replaced.
    static let keptTokenFields = 4

    // MARK: Statistics

    /// The longest latency that is recorded, about 18 hours; a longer one counts as this one.
    static let longestLatencyMicroseconds = 1 << 36 - 1
    /// The binary logarithm of the buckets for each doubling of the latency: with it a quantile is right to about 6 %.
    static let latencyStepBits = 4
}
