import CarillonCore
import NIOCore

/// The fixed limits of a simulator; the limits that its user may set are in ``SimulatorConfiguration``.
///
/// Limits that Apple or an RFC lay down stand where they are checked, beside their source: payload sizes in ``PushTypeRule``,
/// token ages in ``ConnectionCredential``, the 30 days of storage in ``DeliveryRules``.
enum SimulatorLimits {
    /// The range of a connection's MAX_CONCURRENT_STREAMS.
    static let concurrentStreams = 1...100_000
    /// The range of a device token's length, in bytes: shorter ones would not be enough for the largest fleet.
    static let deviceTokenBytes = 4...DeviceToken.byteLimit

    // MARK: SETTINGS, as APNs has been seen to send them

    /// SETTINGS_HEADER_TABLE_SIZE, in bytes.
    static let headerTableByteLimit = 4096
    /// SETTINGS_INITIAL_WINDOW_SIZE, in bytes; the window of a connection has the same size.
    static let windowByteCount = 65_535
    /// SETTINGS_MAX_FRAME_SIZE, in bytes.
    static let frameByteLimit = 16_384
    /// SETTINGS_MAX_HEADER_LIST_SIZE, in bytes.
    static let headerListByteLimit = 8000

    // MARK: Connections of senders

    /// The most connections that the kernel accepts ahead of the simulator.
    static let listenBacklog: CInt = 256
    /// The most RST_STREAM frames and stream errors on one connection.
    ///
    /// Each deadline of a sender that passes causes one, so NIO's own limits against floods are too low.
    static let streamResetLimit = 100_000
    /// The most streams of one connection that are refused while their request is still under way.
    ///
    /// It is more than any sender opens before it has read SETTINGS.
    static let refusedStreamLimit = 10_000
    /// The most skipped streams that are remembered; a sender that skips more is no longer told STREAM_CLOSED.
    static let skippedStreamLimit = 64
    /// The most bytes that are joined to one write: a TLS record holds no more
    /// ([RFC 8446 §5.1](https://www.rfc-editor.org/rfc/rfc8446#section-5.1)).
    static let joinedWriteByteLimit = 16_384
    /// The time that an ending connection stays open so that the sender can read the last answers.
    ///
    /// It counts from the last bytes received, and in real time whatever the simulator's clock, since it waits for the
    /// network.
    static let lingerTime = TimeAmount.milliseconds(200)
    /// The most times that ``lingerTime`` passes before a connection ends whose sender goes on sending.
    static let lingerCount = 10
    /// The time limit of the TLS handshake, in real time.
    static let handshakeTimeout = TimeAmount.seconds(60)
    /// The time limit for the connection preface, and for each frame, to arrive as a whole, in real time.
    static let partTimeout = TimeAmount.seconds(60)
    /// The pause without accepting connections after the process has run out of descriptors, in real time.
    static let acceptPause = TimeAmount.seconds(1)

    /// The time that a shutdown waits for connections to close, in real time, before it cuts them.
    static let shutdownGrace = Duration.seconds(2)

    // MARK: Requests

    /// The most bytes of a body that are kept, more than any payload that APNs takes; the rest is counted and dropped.
    static let keptBodyByteLimit = 8192
    /// The size in bytes from which a body's stream is reset; a body between a payload's limit and this is answered with 413.
    static let bodyByteLimit = 1 << 20
    /// The furthest that `iat` may lie in the future.
    ///
    /// Apple names no figure; clocks kept by NTP never differ that much.
    static let clockTolerance = Duration.seconds(60)
    /// The most verified provider tokens that are remembered: more than any real set of senders has.
    ///
    /// Above it the simulator forgets all of them and verifies each once more.
    static let verifiedTokenLimit = 1024
    /// The most scripted answers that wait for one device token; further ones are left out.
    static let scriptLimit = 10_000
    /// The most channels of one app, as many as Apple allows in each environment.
    static let channelLimit = 10_000

    // MARK: The admin port

    /// The size limit of a request's body, in bytes.
    static let adminBodyByteLimit = 1 << 20
    /// The most devices that one request may name; more need a second request.
    static let devicesPerRequest = 100_000
    /// The longest latency that a fault plan may ask for, in milliseconds: a day.
    static let latencyMillisecondLimit = 86_400_000
    /// The longest other time that a plan or rule may name, in seconds: ten years.
    static let seconds = 315_360_000
    /// The furthest that the clock may be advanced at once, in seconds.
    static let clockAdvanceLimit = 1e9

    /// Returns the most pushes that one reader may leave unread before it is cut off.
    static func pushBacklog(deviceCount: Int) -> Int { 1000 + 4 * deviceCount }
}
