import CarillonCore
import NIOCore

/// The fixed limits of a simulator.
///
/// ``SimulatorConfiguration`` has the limits that its user may set. Limits that Apple or an RFC prescribes are defined at their
/// checks, with their source: payload sizes in ``PushTypeRule``, token ages in ``ConnectionCredential``, and the 30 days of
/// storage in ``DeliveryRules``.
enum SimulatorLimits {
    /// The allowed range of a connection's MAX_CONCURRENT_STREAMS.
    static let concurrentStreams = 1...100_000
    /// The allowed range of a device token's length, in bytes.
    ///
    /// With fewer than 4 bytes, there would not be enough different tokens for the largest fleet.
    static let deviceTokenBytes = 4...DeviceToken.byteLimit

    // MARK: SETTINGS, as APNs has been seen to send them

    /// SETTINGS_HEADER_TABLE_SIZE, in bytes.
    static let headerTableByteLimit = 4096
    /// SETTINGS_INITIAL_WINDOW_SIZE, in bytes.
    ///
    /// The window of a connection has this size too.
    static let windowByteCount = 65_535
    /// SETTINGS_MAX_FRAME_SIZE, in bytes.
    static let frameByteLimit = 16_384
    /// SETTINGS_MAX_HEADER_LIST_SIZE, in bytes.
    static let headerListByteLimit = 8000

    // MARK: Connections of senders

    /// The greatest number of connections that wait in the kernel until the simulator accepts them.
    static let listenBacklog: CInt = 256
    /// The greatest number of RST_STREAM frames and stream errors on one connection.
    ///
    /// A sender resets a stream whenever one of its deadlines passes, so NIO's own limits against floods are too low.
    static let streamResetLimit = 100_000
    /// The number of streams on one connection that the simulator may reset.
    ///
    /// Beyond this number, the connection ends with ENHANCE_YOUR_CALM. The simulator resets a stream mainly when the sender opens
    /// more streams than SETTINGS allow.
    static let refusedStreamLimit = 10_000
    /// The greatest number of ranges of skipped stream ids that one connection remembers.
    ///
    /// Once the limit is reached, HEADERS for a stream that has ended no longer get STREAM_CLOSED, because its id may have been
    /// skipped.
    static let skippedStreamLimit = 64
    /// The greatest number of bytes joined into one write.
    ///
    /// A TLS record holds no more ([RFC 8446 §5.1](https://www.rfc-editor.org/rfc/rfc8446#section-5.1)).
    static let joinedWriteByteLimit = 16_384
    /// The time for which an ending connection stays open, so that the sender can read the last answers.
    ///
    /// If the sender sends anything during this time, a further period of this length follows. The time is real time, because
    /// the connection waits for the network.
    static let lingerTime = TimeAmount.milliseconds(200)
    /// The number of further ``lingerTime`` periods, after the first, at whose end a connection is closed even if its sender
    /// continues to send.
    static let lingerCount = 10
    /// The time limit of the TLS handshake, in real time.
    static let handshakeTimeout = TimeAmount.seconds(60)
    /// The time limit for the connection preface, and for each frame, to arrive completely, in real time.
    static let partTimeout = TimeAmount.seconds(60)
    /// The pause in accepting connections after the process has run out of file descriptors, in real time.
    static let acceptPause = TimeAmount.seconds(1)

    /// The time for which a shutdown waits for connections to close before it cuts them, in real time.
    static let shutdownGrace = Duration.seconds(2)

    // MARK: Requests

    /// The number of bytes of a body that are kept, more than any payload that APNs accepts.
    ///
    /// The bytes after this limit are counted and dropped.
    static let keptBodyByteLimit = 8192
    /// The greatest size of a body, in bytes, that the simulator receives.
    ///
    /// If a body is larger than this, the simulator resets its stream. If a body is only larger than its push type allows, the
    /// simulator answers 413.
    static let bodyByteLimit = 1 << 20
    /// The greatest time by which `iat` may lie in the future.
    ///
    /// Apple gives no figure. Clocks synchronised by NTP never differ that much.
    static let clockTolerance = Duration.seconds(60)
    /// The greatest number of verified provider tokens in the cache, more than any real set of senders has.
    ///
    /// Beyond this number, the simulator empties the cache and verifies tokens again.
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
    /// The longest latency in a fault plan, in milliseconds: a day; a longer latency gets 400.
    static let latencyMillisecondLimit = 86_400_000
    /// The greatest value, in seconds, of the durations in the delivery rules and in a fault plan, except for latencies: ten
    /// years.
    static let seconds = 315_360_000
    /// The limit in seconds below which an admin request may advance the clock; any other request gets 400.
    static let clockAdvanceLimit = 1e9

    /// Returns the greatest number of pushes that one admin client may leave unread before the client is disconnected.
    static func pushBacklog(deviceCount: Int) -> Int { 1000 + 4 * deviceCount }
}
