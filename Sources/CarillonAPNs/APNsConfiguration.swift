import CarillonCore

/// Everything that an ``APNsClient`` needs to know.
public struct APNsConfiguration: Sendable {
    /// Where APNs is.
    public var endpoint: APNsEndpoint
    /// By what APNs knows the sender.
    public var credential: APNsCredential
    /// Whose certificate the server must have. The default is ``APNsTrustRoots/system``.
    public var trustRoots: APNsTrustRoots
    /// All time comes from it: the age of provider tokens, deadlines, back-off.
    public var clock: any CarillonClock
    /// How long a send may take before it fails, when ``APNsClient/send(_:deadline:)`` is given none.
    /// The default is 30 s.
    public var defaultDeadline: Duration
    /// Seeds the jitter of the back-off, so that a run can be repeated.
    public var seed: UInt64
    /// How much of everything there may be.
    public var limits: APNsLimits

    public init(
        endpoint: APNsEndpoint, credential: APNsCredential, trustRoots: APNsTrustRoots = .system,
        clock: any CarillonClock, seed: UInt64, defaultDeadline: Duration = .seconds(30),
        limits: APNsLimits = APNsLimits()
    ) {
        self.endpoint = endpoint
        self.credential = credential
        self.trustRoots = trustRoots
        self.clock = clock
        self.seed = seed
        self.defaultDeadline = defaultDeadline
        self.limits = limits
    }
}

/// Whom to believe that a server is APNs. The server's host name is verified in either case.
public enum APNsTrustRoots: Sendable, Hashable {
    /// The certificate authorities of the operating system.
    case system
    /// These certificate authorities and no others: one or more certificates in PEM, for instance the simulator's.
    case pem(String)
}
