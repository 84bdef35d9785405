import CarillonCore
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A client that sends push notifications over HTTP/2 to APNs, or to any server with APNs' interface.
///
/// A client keeps its connections open: make one client per credential and endpoint, share it, and shut it down at the end. It
/// opens a connection when there is something to send, replaces connections that APNs closes, and opens more connections under
/// load. The client also resends pushes that APNs certainly did not process. See <doc:SendYourFirstNotification>.
public final class APNsClient: Sendable {
    private let defaultDeadline: Duration
    /// The event loop group of this client alone; `nil` if the client shares a group, whose owner ends it.
    private let ownGroup: MultiThreadedEventLoopGroup?
    private let clock: any CarillonClock
    let loop: ClientLoop
    private let configuration: Mutex<APNsConfiguration>
    /// Whether the client's credential is a signing key, and not a certificate.
    ///
    /// The flag is atomic, because the client reads it for every notification and must not wait for a lock.
    private let usesTokens: Atomic<Bool>

    /// Makes a client, which connects when it gets its first request.
    ///
    /// - Parameters:
    ///   - configuration: the endpoint, the credential and the limits.
    ///   - logger: the logger for connection events. It gets no token, key or payload.
    /// - Throws: ``APNsError`` with ``APNsError/Code/invalidConfiguration`` if the trust roots cannot be read or a limit is out
    ///   of range.
    public init(configuration: APNsConfiguration, logger: Logger) throws(APNsError) {
        try configuration.limits.check()
        try configuration.endpoint.check()
        let tls = try TLSContext.make(configuration)
        self.configuration = Mutex(configuration)
        usesTokens = Atomic(configuration.credential.usesTokens)
        defaultDeadline = configuration.defaultDeadline
        clock = configuration.clock
        ownGroup = configuration.eventLoops == nil ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : nil
        let group = configuration.eventLoops?.group ?? ownGroup ?? .singleton
        loop = ClientLoop(
            pool: Pool(
                limits: configuration.limits, usesTokens: configuration.credential.usesTokens, seed: configuration.seed),
            signer: TokenSigner(configuration.credential),
            connector: Connector(
                endpoint: configuration.endpoint, addresses: configuration.resolvedAddresses,
                proxy: configuration.proxy,
                tls: tls,
                timeout: configuration.limits.connectTimeout, eventLoop: group.next()),
            certificate: configuration.credential.certificate, clock: configuration.clock, logger: logger)
    }

    /// Sends a notification and waits for APNs' answer.
    ///
    /// - Parameters:
    ///   - notification: the push to send.
    ///   - deadline: the time limit, counted from this call and including the waits for a connection and for the answer. Nothing
    ///     of the notification is sent later. The default is ``APNsConfiguration/defaultDeadline``.
    /// - Returns: the answer of APNs; a rejection is an answer too.
    /// - Throws: ``APNsError`` if there is no answer. ``APNsError/mayHaveArrived`` says whether APNs may have processed the
    ///   notification.
    public func send(
        _ notification: APNsNotification, deadline: Duration? = nil
    ) async throws(APNsError) -> APNsOutcome {
        try await outcome(of: try makeRequest(notification, deadline: self.deadline(after: deadline)))
    }

    /// Submits a request to the client's event loop, and waits for the request's outcome.
    func outcome(of request: PendingSend) async throws(APNsError) -> APNsOutcome {
        let result: Result<APNsOutcome, APNsError> = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                request.caller = .task(continuation)
                loop.submit(CollectionOfOne(request))
            }
        } onCancel: {
            loop.cancel(request)
        }
        return try result.get()
    }

    /// Replaces the credential, for instance by a new signing key or a renewed certificate.
    ///
    /// No push is lost: the client awaits the answers to pushes in flight on the old connections, and sends all other pushes on
    /// new connections.
    ///
    /// - Parameter credential: the new credential, of either kind.
    /// - Throws: ``APNsError`` with ``APNsError/Code/invalidConfiguration`` if a certificate cannot be used.
    public func replaceCredential(_ credential: APNsCredential) throws(APNsError) {
        var replaced = configuration.withLock { $0 }
        replaced.credential = credential
        let tls = try TLSContext.make(replaced)
        configuration.withLock { $0.credential = credential }
        usesTokens.store(credential.usesTokens, ordering: .relaxed)
        loop.replaceCredential(credential, tls: tls)
    }

    /// Shuts the client down: refuses new requests, waits for the requests in progress, and closes the connections.
    ///
    /// The method waits at most ``APNsLimits/shutdownGrace``. A request that is still unanswered then fails with
    /// ``APNsError/Code/shutDown``. This method may be called any number of times and from several tasks at once; each call
    /// returns after the shutdown.
    public func shutdown() async {
        await loop.shutDown()
        // Fails if another call has shut the group down, which is then done.
        try? await ownGroup?.shutdownGracefully()
    }

    /// The counts and latencies of this client's requests so far, and the present numbers of its requests and connections.
    ///
    /// Reading this property is cheap enough to do once a second.
    public var statistics: APNsStatistics { loop.statistics }

    func makeRequest(
        _ notification: APNsNotification, deadline: Timestamp, caller: PendingSend.Caller? = nil
    ) throws(APNsError) -> PendingSend {
        try NotificationRules.check(notification, usesTokens: usesTokens.load(ordering: .relaxed))
        return PendingSend(.notification(notification), deadline: deadline, caller: caller)
    }

    func makeRequest(_ request: ChannelRequest, deadline: Duration?) -> PendingSend {
        PendingSend(.channel(request), deadline: self.deadline(after: deadline))
    }

    /// Returns the end of a time limit that begins now, on the monotonic clock.
    ///
    /// - Parameter limit: the time limit; `nil` for the client's default.
    /// - Returns: the time at which the limit ends.
    func deadline(after limit: Duration?) -> Timestamp {
        ClockReading.steady(clock) + min(limit ?? defaultDeadline, ClientLimits.longestDeadline)
    }

    func submit(_ requests: some Collection<PendingSend>) { loop.submit(requests) }

    func cancelAll(of owner: some AnyObject & Sendable) { loop.cancelAll(of: owner) }
}
