import CarillonCore

/// The bounds of a client that are fixed; those that its user may set are in ``APNsLimits``.
///
/// What RFC 9113, RFC 7541 or Apple lay down stands where it is obeyed, beside its source.
enum ClientLimits {
    // MARK: Requests

    /// Of a topic: far above any bundle id, and low enough to keep the header block within one frame.
    static let topicByteLimit = 1024
    /// A longer deadline counts as this one: longer durations would overflow arithmetic somewhere.
    static let longestDeadline: Duration = .seconds(86_400 * 365)
    /// How many entries of ended requests a queue may hold beyond twice those that are open, before it is cleared of
    /// them.
    static let endedEntriesKept = 64
    /// An array that is used again and again keeps its memory up to this many elements.
    static let keptCapacity = 4096

    // MARK: Channels

    /// Of a bundle id: far above any.
    static let bundleIDByteLimit = 255
    /// Of a channel's id: Apple's are 16 bytes in base64, and nothing says that they stay so.
    static let channelIDByteLimit = 256
    /// "The maximum payload size for a broadcast push notification is 5 KB"
    /// ([Sending broadcast push notification requests](https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns)).
    static let broadcastByteLimit = 5120
    /// Of an answer about channels: the list of the 10,000 that an app may have takes some 300 KB.
    static let channelAnswerByteLimit = 1 << 20

    // MARK: Connections

    /// How many streams are opened on a connection whose server sets no limit.
    static let streamsWithoutLimit = 100
    /// With fewer streams than this under way, another connection would not make answers come sooner.
    static let streamsWorthSpreading = 20
    /// The buffer for the next writes is as large as the last one was, up to this.
    static let writeBufferByteLimit = 256 * 1024

    // MARK: What a server may send

    /// Of one header block, in all its frames.
    static let headerBlockByteLimit = 32 * 1024
    /// Frames of one header block; empty CONTINUATIONs cost nothing else.
    static let headerFrameLimit = 16
    /// SETTINGS_MAX_HEADER_LIST_SIZE; APNs' answers have some hundred bytes.
    static let headerListByteLimit = 16 * 1024
    /// How many PINGs and SETTINGS are answered while the server does not read the answers.
    static let unreadReplyLimit = 1000
    /// Of an error's body: more than this is not APNs' JSON; the rest of a longer one is ignored.
    static let errorBodyByteLimit = 4096

    // MARK: Provider tokens

    /// A connection takes a token up to this age, and keeps it until ``tokenKeptUntilAge``: so it changes its token
    /// every 20 minutes at most, as Apple demands, and no token is older than an hour.
    static let tokenTakenUntilAge: Duration = .seconds(30 * 60)
    /// At this age a connection changes its token.
    static let tokenKeptUntilAge: Duration = .seconds(50 * 60)
    /// How far wall and steady clock must have parted for a new token to be better than a rejected one.
    static let clockJump: Duration = .seconds(5 * 60)
    /// How long before its end a client certificate is warned of.
    static let certificateWarning: Duration = .seconds(30 * 86_400)
    /// How often it is.
    static let certificateWarningInterval: Duration = .seconds(86_400)
    /// Signed tokens that are kept: two are in use at a time, and two more while a key is replaced.
    static let keptTokenFields = 4

    // MARK: Statistics

    /// Latencies from here on, about 18 hours, count as this one.
    static let longestLatencyMicroseconds = 1 << 36 - 1
    /// Each doubling of the latency is cut into 2 to the power of this many buckets: a quantile is right to about 6 %.
    static let latencyStepBits = 4
}
