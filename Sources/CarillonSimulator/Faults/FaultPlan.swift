/// What goes wrong, how often. Nothing does by default. A plan may be exchanged at any time.
public struct FaultPlan: Sendable, Hashable {
    /// A fault and how probable it is for each request, 0–1.
    public struct Rate: Sendable, Hashable {
        public var fault: Fault
        public var probability: Double

        public init(_ fault: Fault, probability: Double) {
            self.fault = fault
            self.probability = min(max(probability, 0), 1)
        }
    }

    /// For each request at most one of these happens: the first whose lot is drawn.
    public var rates: [Rate] = []

    /// How long answers take.
    public var latency = Latency.none

    /// After so many requests a connection gets a GOAWAY, and is closed once its open streams are answered. Streams that
    /// the sender opened after those are neither processed nor answered: it has to send them again.
    public var goAwayEvery: Int?

    /// The reason in the debug data of such a GOAWAY.
    public var goAwayReason: RejectionReason?

    /// Whether a refused provider token puts a connection back to one stream, until the next good one; seen with APNs, and
    /// the end of senders that do not expect it.
    public var limitsStreamsAfterRejection = false

    /// Refusals (4xx) in a row on one connection until APNs loses patience.
    public struct Patience: Sendable, Hashable {
        /// After so many, SETTINGS allow only one stream, until the next accepted push.
        public var slowAfter: Int
        /// After so many the connection gets GOAWAY and is closed.
        public var closeAfter: Int

        public init(slowAfter: Int, closeAfter: Int) {
            self.slowAfter = max(1, slowAfter)
            self.closeAfter = max(1, closeAfter)
        }
    }

    /// "If you continually send requests that APNs refuses", it slows you down and then closes the connection. Apple names
    /// no figures. The default is `nil`, endless patience.
    public var patience: Patience?

    /// How far the simulator's clock is ahead of the sender's, as far as the age of provider tokens goes.
    public var clockSkew = Duration.zero

    public init() {}

    var isEmpty: Bool { self == FaultPlan() }
}
