import CarillonCore
import NIOCore

/// The fixed limits of a simulator.
///
/// ``SimulatorConfiguration`` has the limits that a user may set. Limits that Apple or an RFC prescribes are defined at their
/// checks, with their source: payload sizes in ``PushTypeRule``, token ages in ``ConnectionCredential``, and the 30 days of
/// storage in ``DeliveryRules``.
package enum SimulatorLimits {
    /// The allowed range of a connection's SETTINGS_MAX_CONCURRENT_STREAMS; a configuration with another number is refused.
    static let concurrentStreams = 1...100_000
    /// Allowed numbers of open streams on a connection before the sender has shown a valid provider token.
    package static let streamsBeforeProof = 1...1000
    /// The allowed range of a device token's length, in bytes; a configuration with another length is refused.
    ///
    /// With fewer than 4 bytes, there would not be enough different tokens for the largest fleet.
    static let deviceTokenBytes = 4...DeviceToken.byteLimit

    /// The number of devices from which an unknown token makes no further device (``SimulatorDoor/anyToken``).
    static let devicesOfUnknownTokens = 1_000_000

    // MARK: SETTINGS, as APNs has been seen to send them

    /// The value of HTTP/2's SETTINGS_HEADER_TABLE_SIZE, in bytes.
    static let headerTableByteLimit = 4096
    /// The value of HTTP/2's SETTINGS_INITIAL_WINDOW_SIZE, in bytes.
    ///
    /// The flow-control window of a whole connection has this size too.
    static let windowByteCount = 65_535
    /// The value of HTTP/2's SETTINGS_MAX_FRAME_SIZE, in bytes.
    static let frameByteLimit = 16_384
    /// The value of HTTP/2's SETTINGS_MAX_HEADER_LIST_SIZE, in bytes.
    static let headerListByteLimit = 8000

    // MARK: Connections of senders

    /// The greatest number of ports beside the first one; a configuration with more is refused.
    package static let furtherPortLimit = 16
    /// The greatest number of connections that wait in the kernel until the simulator accepts them.
    static let listenBacklog: CInt = 256
    /// The greatest number of RST_STREAM frames, and also of stream errors, on one connection within NIO's window of 30 seconds.
    ///
    /// One more ends the connection. NIO's own limits against floods are too low, because a sender resets a stream whenever its
    /// wait for an answer times out.
    static let streamResetLimit = 100_000
    /// The number of streams on one connection that the simulator may reset.
    ///
    /// Beyond this number, the connection ends with ENHANCE_YOUR_CALM. The simulator resets a stream mainly when the sender opens
    /// more streams than SETTINGS allow.
    static let refusedStreamLimit = 10_000
    /// The greatest number of gaps (ranges of skipped stream ids) that the simulator remembers for one connection.
    ///
    /// HEADERS on an ended stream get STREAM_CLOSED, and HEADERS on a skipped stream do not. From this number of gaps on, the
    /// simulator cannot tell ended streams from skipped ones, and HEADERS no longer get STREAM_CLOSED.
    static let skippedStreamLimit = 64
    /// The greatest number of bytes that the simulator joins into one write to a connection.
    ///
    /// A TLS record holds at most this number ([RFC 8446 §5.1](https://www.rfc-editor.org/rfc/rfc8446#section-5.1)).
    static let joinedWriteByteLimit = 16_384
    /// The time for which an ending connection stays open, so that the sender can read the last answers.
    ///
    /// If the sender sends anything during this time, a further period of this length follows. The time passes by the machine's
    /// clock, because the connection waits for the network.
    static let lingerTime = TimeAmount.milliseconds(200)
    /// The greatest number of times that an ending connection stays open for another ``lingerTime`` because the sender still
    /// sends.
    ///
    /// After that, the simulator closes the connection even if the sender continues to send.
    static let lingerCount = 10
    /// The time limit of the TLS handshake, in real time; a slower handshake ends the connection.
    static let handshakeTimeout = TimeAmount.seconds(60)
    /// The real time in which the connection preface, and each frame, must arrive completely; otherwise the connection ends.
    static let partTimeout = TimeAmount.seconds(60)
    /// The real time for which the simulator accepts no connections after the process has run out of file descriptors.
    static let acceptPause = TimeAmount.seconds(1)

    /// The time for which a shutdown waits for connections to close before it cuts them, in real time.
    static let shutdownGrace = Duration.seconds(2)

    // MARK: Requests

    /// The number of bytes that the simulator keeps of a request's body; it only counts further bytes.
    ///
    /// The number is higher than the payload limit of any push type.
    static let keptBodyByteLimit = 8192
    /// The greatest size of a body, in bytes, that the simulator receives.
    ///
    /// For a larger body, the simulator resets the stream. For a smaller body that is too large for its push type, the simulator
    /// answers 413.
    static let bodyByteLimit = 1 << 20
    /// The greatest time by which a provider token's `iat` may lie in the future; a token beyond this limit is rejected.
    ///
    /// Apple gives no figure. Clocks synchronised by NTP never differ that much.
    static let clockTolerance = Duration.seconds(60)
    /// The greatest number of verified provider tokens in the cache, more than a real set of senders uses.
    ///
    /// Beyond this number, the simulator empties the cache, and verifies each token again at its next use.
    static let verifiedTokenLimit = 1024
    /// The greatest number of scripted faults that wait for requests for one device token.
    ///
    /// The simulator drops further faults.
    static let scriptLimit = 10_000
    /// The greatest number of channels of one app, as Apple allows in each environment.
    ///
    /// A request for a further channel gets CannotCreateChannelConfig.
    static let channelLimit = 10_000

    // MARK: The admin port

    /// The size limit of an admin request's body, in bytes; a larger body gets 413.
    static let adminBodyByteLimit = 1 << 20
    /// The greatest number of devices that one admin request can select; a request for more devices gets 400.
    static let devicesPerRequest = 100_000
    /// The longest latency in a fault plan, in milliseconds: one day; a longer latency gets 400.
    static let latencyMillisecondLimit = 86_400_000
    /// The greatest number of characters of an unknown name that an answer of the admin port quotes.
    static let quotedNameCharacters = 40
    /// The longest duration in the delivery rules or in a fault plan, in seconds: ten years; a longer duration gets 400.
    ///
    /// The latencies of a fault plan have a limit of their own (``latencyMillisecondLimit``).
    static let seconds = 315_360_000
    /// The upper bound, in seconds, for an admin request to advance the clock; a request for this time or more gets 400.
    static let clockAdvanceLimit = 1e9

    // MARK: The inbox

    /// Allowed numbers of requests on one page of the inbox.
    static let inboxPage = 1...500
    /// The number of requests on a page of the inbox if the reader asks for no other number.
    static let inboxPageDefault = 100
    /// The greatest number of journal entries that one page of the inbox looks at.
    ///
    /// So a search that finds nothing in a large journal holds up nobody; its reader goes on with the next page.
    static let inboxScan = 20_000
    /// The number of journal entries that the inbox copies at once, because the journal is locked meanwhile.
    static let inboxSlice = 1000
    /// The longest text to search for, in bytes of UTF-8.
    static let inboxSearchByteLimit = 200
    /// The real time between two messages to a reader that something new has come.
    static let inboxPause = TimeAmount.milliseconds(200)

    // MARK: Recordings

    /// The greatest number of lines of a recording; a longer one is refused.
    static let recordedLines = 200_000
    /// The greatest length of a frame, in bytes, that a recording lets pass; APNs and senders use 16,384.
    static let recordedFrameByteLimit = 1 << 20
    /// The greatest size of a header block, and of a table for it, in bytes, that a recording lets pass.
    static let recordedHeaderByteLimit = 65_536
    /// The greatest number of bytes of a sender that wait until the connection to its APNs is open.
    static let recordedBacklogByteLimit = 1 << 20

    /// Returns the greatest number of pushes that one admin client may leave unread before the client is disconnected.
    static func pushBacklog(deviceCount: Int) -> Int { 1000 + 4 * deviceCount }
}
