/// The faults that occur, and their frequency; by default there are none.
///
/// A plan may be replaced at any time: ``FaultInjector/plan``.
public struct FaultPlan: Sendable, Hashable {
    /// A fault with its probability for each request.
    public struct Rate: Sendable, Hashable {
        /// The fault.
        public var fault: Fault
        /// The probability, from 0 (never) to 1 (always).
        public var probability: Double

        /// A fault with its probability.
        ///
        /// - Parameters:
        ///   - fault: the fault.
        ///   - probability: 0–1; brought into that range.
        public init(_ fault: Fault, probability: Double) {
            self.fault = fault
            self.probability = min(max(probability, 0), 1)
        }
    }

    /// The faults that happen at random; each request meets at most one, the first that is drawn.
    ///
    /// The default is none.
    public var rates: [Rate] = []

    /// The latency of answers; the default is none.
    public var latency = Latency.none

    /// The number of requests after which a connection gets GOAWAY and is closed once its open streams are answered.
    ///
    /// Streams that the sender opened later are neither processed nor answered: it has to send them again. The
    /// default, `nil`, is never.
    public var goAwayEvery: Int?

    /// The reason in the debug data of such a GOAWAY; the default is none.
    public var goAwayReason: RejectionReason?

    /// Whether a rejected provider token limits a connection to one stream again, until the next valid token.
    ///
    /// APNs has been seen to do so, and senders that do not expect it fail. The default is `false`.
    public var limitsStreamsAfterRejection = false

    /// The number of consecutive rejections (4xx) on one connection that APNs tolerates.
    public struct Patience: Sendable, Hashable {
        /// The number of rejections, 1 or more, after which SETTINGS allow only one stream, until the next accepted push.
        public var slowAfter: Int
        /// The number of rejections, 1 or more, after which the connection gets GOAWAY and is closed.
        public var closeAfter: Int

        /// Makes a patience of these two numbers; less than 1 counts as 1.
        public init(slowAfter: Int, closeAfter: Int) {
            self.slowAfter = max(1, slowAfter)
            self.closeAfter = max(1, closeAfter)
        }
    }

    /// The rejections in a row that slow a sender down and end its connection; the default, `nil`, is never.
    ///
    /// Apple says that APNs does so, and names no figures.
    public var patience: Patience?

    /// The lead of the simulator's clock over the sender's when the age of a provider token is checked.
    ///
    /// The default is zero; with a negative one, tokens come from the future.
    public var clockSkew = Duration.zero

    /// Makes a plan without faults.
    public init() {}

    var isEmpty: Bool { self == FaultPlan() }
}
