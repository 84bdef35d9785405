import CarillonCore

/// The fixed limits of a client.
///
/// ``APNsLimits`` contains the limits that a caller can configure. Limits that RFC 9113, RFC 7541 or Apple prescribe are
/// defined where they are used, with a reference.
enum ClientLimits {
    // MARK: Requests

    /// The greatest length of a topic, in bytes.
    ///
    /// With a longer topic, a notification is invalid. The limit is far above the length of any bundle id, and small enough for
    /// the header block to fit into one frame.
    static let topicByteLimit = 1024
    /// The longest time limit of a request.
    ///
    /// A longer time limit is reduced to this value, because otherwise the request's deadline could overflow.
    static let longestDeadline: Duration = .seconds(86_400 * 365)
    /// The greatest number of ended requests that a queue holds if it holds no open request.
    ///
    /// A queue with n open requests drops its ended requests when it holds more than 2 · n + 64 requests in all.
    static let endedEntriesKept = 64
    /// The least capacity, in elements, at which an emptied array frees its memory.
    ///
    /// A smaller array keeps its memory, to be filled again.
    static let keptCapacity = 4096

    /// The least time between the decision to send requests and the writing of their frames that counts as a standstill of the
    /// process.
    ///
    /// If such a standstill ends after the deadline of one of the requests, the connection ends without the frames. Encoding a
    /// batch takes a tenth of this time at most, so a busy process loses no connection.
    static let standstill: Duration = .milliseconds(250)

    // MARK: Channels

    /// The greatest length of a bundle id in bytes, far above the length of any real one; with a longer id, a request is invalid.
    static let bundleIDByteLimit = 255
    /// The greatest length of a channel's id, in bytes; with a longer id, a request is invalid.
    ///
    /// Apple's ids are 16 bytes in base64, but Apple does not guarantee this length.
    static let channelIDByteLimit = 256
    /// The greatest size of an answer to a request about channels, in bytes; the stream of a larger answer is reset.
    ///
    /// The list of 10,000 channels, the most that an app can have, takes some 300 KB.
    static let channelAnswerByteLimit = 1 << 20

    // MARK: Connections

    /// The number of streams that the client opens on a connection whose server sets no limit.
    static let streamsWithoutLimit = 100
    /// The greatest number of event loops, each with a thread, that clients with shared loops have together.
    static let sharedLoops = 4
    /// The least number of open streams on a connection at which slow answers are a reason to open another connection.
    static let streamsWorthSpreading = 20
    /// The greatest number of addresses that the client remembers because their last connection attempt failed.
    ///
    /// If one more address fails, the client first forgets all the others.
    static let failedAddressesKept = 64
    /// The greatest number of look-ups of one name at a time; one more fails at once.
    ///
    /// Each look-up that hangs holds a thread until the system's resolver gives up.
    static let lookUpsOfOneName = 8
    /// The least duration of an unfinished step of connecting, such as the TLS handshake, at which errors of requests name it.
    ///
    /// Until a step has lasted this long, the errors name the last problem with a connection, if there was one.
    static let stepWorthNaming: Duration = .seconds(1)
    /// The greatest initial size of a write buffer, in bytes.
    ///
    /// A new buffer gets the size of the previous buffer's content, up to this limit.
    static let writeBufferByteLimit = 256 * 1024

    // MARK: Frames from a server

    /// The size limit of one header block, in bytes, over all its frames; a larger block ends the connection.
    static let headerBlockByteLimit = 32 * 1024
    /// The greatest number of frames in one header block; a block with more frames ends the connection.
    ///
    /// Without this limit, a server could send empty CONTINUATION frames without end.
    static let headerFrameLimit = 16
    /// The value of SETTINGS_MAX_HEADER_LIST_SIZE, in bytes.
    ///
    /// The headers of an APNs answer have a few hundred bytes.
    static let headerListByteLimit = 16 * 1024
    /// The greatest number of replies to PINGs and SETTINGS that wait because the server does not read them.
    ///
    /// One more reply ends the connection.
    static let unreadReplyLimit = 1000
    /// The size limit of an error's body, in bytes.
    ///
    /// The client ignores the rest of a longer body, because APNs' own error bodies are far shorter.
    static let errorBodyByteLimit = 4096
    /// The longest wait that the client takes from `Retry-After`; a longer one counts as this wait.
    ///
    /// It is the pause that Apple recommends for an outage.
    static let longestRetryAfter: Duration = .seconds(15 * 60)
    /// The times that the client believes in an error's `timestamp`, in milliseconds since 1970: up to the end of the year 9999.
    static let plausibleMilliseconds: ClosedRange<Int64> = 0...253_402_300_799_999

    // MARK: Provider tokens

    /// The greatest number of certificates in a file that the client compares with the private key.
    ///
    /// If none of these belongs to the key, the client rejects the file.
    static let certificatesPerFile = 100

    /// The greatest age of a provider token that a connection may start to use.
    ///
    /// A connection keeps its token until ``tokenKeptUntilAge``. So the connection changes its token at most every 20
    /// minutes, as Apple demands, and never uses a token that is older than an hour.
    static let tokenTakenUntilAge: Duration = .seconds(30 * 60)
    /// The age of a provider token at which a connection replaces the token.
    static let tokenKeptUntilAge: Duration = .seconds(50 * 60)
    /// The least change of the wall clock that the client notices.
    ///
    /// The client compares the time that has passed on the wall clock with the time that has passed on the monotonic clock
    /// (the machine's uptime). If the two differ by more than this value, somebody has set the wall clock.
    static let clockJump: Duration = .seconds(5 * 60)
    /// The least time between two warnings that this machine's clock may be wrong.
    static let clockReminder: Duration = .seconds(60)
    /// The time before the expiry of a client certificate during which the client logs warnings.
    static let certificateWarning: Duration = .seconds(30 * 86_400)
    /// The interval between warnings that a certificate expires.
    static let certificateWarningInterval: Duration = .seconds(86_400)
    /// The greatest number of signed provider tokens in the cache; a further token displaces the oldest.
    ///
    /// Two tokens are in use at a time, and two more while a key is replaced.
    static let keptTokenFields = 4

    // MARK: Statistics

    /// The longest latency that a ``LatencyHistogram`` records, in microseconds: about 19 hours.
    ///
    /// A longer latency counts as this value.
    static let longestLatencyMicroseconds = 1 << 36 - 1
    /// The binary logarithm of the number of histogram buckets for each doubling of the latency.
    ///
    /// With 4, which means 16 buckets, a quantile is accurate to about 6 %.
    static let latencyStepBits = 4
}
