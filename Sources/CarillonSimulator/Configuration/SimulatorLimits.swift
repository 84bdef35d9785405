import CarillonCore
import NIOCore

/// The bounds of a simulator that are fixed; those that its user may set are in ``SimulatorConfiguration``.
///
/// What Apple or an RFC lays down stands where it is checked, beside its source: payload sizes in ``PushTypeRule``,
/// token ages in ``ConnectionCredential``, the 30 days of storage in ``DeliveryRules``.
enum SimulatorLimits {
    /// MAX_CONCURRENT_STREAMS of a connection.
    static let concurrentStreams = 1...100_000
    /// The length of device tokens: shorter ones would not be enough for the largest fleet.
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

    /// Connections that the kernel accepts before the simulator does.
    static let listenBacklog: CInt = 256
    /// RST_STREAM frames and stream errors on one connection: each deadline of a sender that passes is one, so NIO's
    /// own limits against floods are too low.
    static let streamResetLimit = 100_000
    /// Streams of one connection that were refused while their request was still under way: more than any sender opens
    /// before it has read SETTINGS.
    static let refusedStreamLimit = 10_000
    /// Streams that a sender skipped and that are remembered; one that skips more is no longer told STREAM_CLOSED.
    static let skippedStreamLimit = 64
    /// What is written is joined up to this many bytes: a TLS record holds no more
    /// ([RFC 8446 §5.1](https://www.rfc-editor.org/rfc/rfc8446#section-5.1)).
    static let joinedWriteByteLimit = 16_384
    /// How long a connection that ends is left open for the sender to read the last answers, counted from the last thing
    /// that came from it; in real time, whatever the simulator's clock, since it is the network that is waited for.
    static let lingerTime = TimeAmount.milliseconds(200)
    /// How many times as long a sender is waited for that goes on sending.
    static let lingerCount = 10
    /// How long the TLS handshake may take, in real time.
    static let handshakeTimeout = TimeAmount.seconds(60)
    /// How long the connection preface, and each frame, may take to come as a whole, in real time.
    static let partTimeout = TimeAmount.seconds(60)
    /// How long no connection is accepted after the process has run out of descriptors, in real time.
    static let acceptPause = TimeAmount.seconds(1)

    /// How long a shutdown waits for connections to close, in real time, before it cuts them.
    static let shutdownGrace = Duration.seconds(2)

    // MARK: Requests

    /// Of a body that is kept: more than any payload that APNs takes; what goes beyond is counted and dropped.
    static let keptBodyByteLimit = 8192
    /// A body may be longer than any payload and is answered with 413; from this length on its stream is reset.
    static let bodyByteLimit = 1 << 20
    /// How deep objects and arrays of a payload may be nested.
    static let jsonDepthLimit = 100
    /// How far in the future `iat` may lie.
    ///
    /// Apple names no figure; this is what clocks kept by NTP never reach.
    static let clockTolerance = Duration.seconds(60)
    /// Provider tokens whose verification is remembered: more than any real set of senders has.
    ///
    /// Beyond it all are forgotten, which costs a verification each.
    static let verifiedTokenLimit = 1024
    /// Scripted answers that wait for one device token; what goes beyond is left out.
    static let scriptLimit = 10_000
    /// Channels of one app, as many as Apple allows in each environment.
    static let channelLimit = 10_000

    // MARK: The admin port

    /// Of a request's body.
    static let adminBodyByteLimit = 1 << 20
    /// Devices that one request may name; more need a second request.
    static let devicesPerRequest = 100_000
    /// The longest latency that a fault plan may ask for, in milliseconds: a day.
    static let latencyMillisecondLimit = 86_400_000
    /// The furthest that the clock may be advanced at once, in seconds.
    static let clockAdvanceLimit = 1e9

    /// Pushes that one reader has not taken yet; with more it is cut off.
    static func pushBacklog(deviceCount: Int) -> Int { 1000 + 4 * deviceCount }
}
