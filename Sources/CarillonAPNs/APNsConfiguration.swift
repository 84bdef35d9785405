import CarillonCore

/// The configuration of an ``APNsClient``.
public struct APNsConfiguration: Sendable {
    /// The host and port of APNs.
    public var endpoint: APNsEndpoint
    /// The signing key or certificate with which the sender authenticates.
    public var credential: APNsCredential
    /// The certificate authorities that the client trusts.
    ///
    /// The default is ``APNsTrustRoots/system``.
    public var trustRoots: APNsTrustRoots
    /// The source of all times: the ages of provider tokens, deadlines and back-off.
    public var clock: any CarillonClock
    /// The time limit of a request that has no deadline of its own.
    ///
    /// The default is 30 s.
    public var defaultDeadline: Duration
    /// The seed of the back-off's jitter.
    ///
    /// A fixed seed makes a run repeatable.
    public var seed: UInt64
    /// The limits of connections, queues and waits.
    public var limits: APNsLimits
    /// The HTTP proxy to the endpoint; `nil` for a direct connection.
    ///
    /// The default is `nil`.
    public var proxy: APNsProxy?
    /// The addresses to connect to, for tests in which the endpoint's host cannot be resolved; `nil` to resolve the host.
    package var resolvedAddresses: [String]?
    /// The event loops that the client shares with other clients, and whose owner ends them; `nil` for a loop of its own.
    package var eventLoops: APNsEventLoops?

    /// Makes a configuration.
    ///
    /// Endpoint, credential, clock and seed have no default.
    ///
    /// - Parameters:
    ///   - endpoint: the host and port of APNs.
    ///   - credential: the signing key or the certificate.
    ///   - trustRoots: the trusted authorities. The default is the operating system's certificate authorities.
    ///   - clock: the source of all times; a `SystemClock` outside of tests.
    ///   - seed: the seed of the back-off's jitter; a random number outside of tests.
    ///   - defaultDeadline: the time limit of a request that has no deadline of its own. The default is 30 s.
    ///   - limits: the limits of connections, queues and waits. The default is ``APNsLimits/init()``.
    ///   - proxy: the HTTP proxy to the endpoint. The default is none.
    public init(
        endpoint: APNsEndpoint, credential: APNsCredential, trustRoots: APNsTrustRoots = .system,
        clock: any CarillonClock, seed: UInt64, defaultDeadline: Duration = .seconds(30),
        limits: APNsLimits = APNsLimits(), proxy: APNsProxy? = nil
    ) {
        self.endpoint = endpoint
        self.credential = credential
        self.trustRoots = trustRoots
        self.clock = clock
        self.seed = seed
        self.defaultDeadline = defaultDeadline
        self.limits = limits
        self.proxy = proxy
    }
}
