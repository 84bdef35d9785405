/// A plan of the faults that the simulator injects: random faults, latency, GOAWAY, and reactions to many rejections.
///
/// By default there are none. A plan can be replaced at any time by setting ``FaultInjector/plan``.
public struct FaultPlan: Sendable, Hashable {
    /// A fault with its probability for each request.
    public struct Rate: Sendable, Hashable {
        /// The fault that a request gets with the probability ``probability``.
        public var fault: Fault
        /// The probability that a request gets the fault, from 0 (never) to 1 (always).
        public var probability: Double

        /// Makes a fault with its probability.
        ///
        /// - Parameters:
        ///   - fault: the fault.
        ///   - probability: the probability. A number outside the range 0–1 is replaced by the nearer end of that range.
        public init(_ fault: Fault, probability: Double) {
            self.fault = fault
            self.probability = min(max(probability, 0), 1)
        }
    }

    /// The faults that occur at random, with their probabilities.
    ///
    /// A request gets at most one fault: the first in this order that chance selects. The default is none.
    public var rates: [Rate] = []

    /// The latency of answers.
    ///
    /// The default is none.
    public var latency = Latency.none

    /// The number of requests after which a connection gets GOAWAY and is closed once its open streams are answered.
    ///
    /// Streams that the sender opens later are neither processed nor answered; the sender must send these requests again. The
    /// default, `nil`, means never.
    public var goAwayEvery: Int?

    /// The reason in the debug data of the GOAWAY that ``goAwayEvery`` causes.
    ///
    /// The default is none.
    public var goAwayReason: RejectionReason?

    /// Whether a rejected provider token limits a connection to one stream again, until the next valid token.
    ///
    /// The default is `false`. APNs has been seen to impose this limit; senders that do not expect the limit fail.
    public var limitsStreamsAfterRejection = false

    /// The numbers of consecutive rejections (4xx) on one connection after which APNs slows the sender down or ends the
    /// connection.
    public struct Patience: Sendable, Hashable {
        /// The number of consecutive rejections, 1 or more, after which the sender may open only a few streams.
        ///
        /// SETTINGS lower the limit to ``SimulatorConfiguration/streamsBeforeProof`` (by default 1), until a request is accepted.
        public var slowAfter: Int
        /// The number of consecutive rejections, 1 or more, after which the connection gets GOAWAY.
        ///
        /// The connection is closed after its open streams are answered.
        public var closeAfter: Int

        /// Makes limits; a number below 1 counts as 1.
        ///
        /// - Parameters:
        ///   - slowAfter: the number of consecutive rejections after which the sender may open only a few streams.
        ///   - closeAfter: the number of consecutive rejections after which the connection gets GOAWAY.
        public init(slowAfter: Int, closeAfter: Int) {
            self.slowAfter = max(1, slowAfter)
            self.closeAfter = max(1, closeAfter)
        }
    }

    /// The numbers of consecutive rejections after which APNs slows a sender down or ends the connection.
    ///
    /// The default, `nil`, tolerates any number of rejections. Apple says that APNs reacts to many rejections, but gives no
    /// figures.
    public var patience: Patience?

    /// The time that the simulator adds to its clock when it checks a provider token's age.
    ///
    /// The default is zero. With a negative time, tokens seem to come from the future.
    public var clockSkew = Duration.zero

    /// Makes a plan without faults.
    public init() {}

    var isEmpty: Bool { self == FaultPlan() }
}
