import CarillonCore
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// Sends push notifications to APNs over HTTP/2, or to anything that speaks like it.
///
/// A client keeps its connections for as long as it lives: make one per credential and endpoint, share it, and shut it
/// down at the end. Connections are opened when there is something to send, replaced when APNs closes them, and more
/// are opened under load; whatever APNs certainly did not process is sent again by the client itself.
///
/// ```swift
/// let client = try APNsClient(configuration: configuration, logger: logger)
/// switch try await client.send(notification) {
/// case .accepted(let apnsID, _): …
/// case .rejected(let rejection): … // rejection.reason, rejection.remedy
/// }
/// await client.shutdown()
/// ```
public final class APNsClient: Sendable {
    public let configuration: APNsConfiguration

    private let group: MultiThreadedEventLoopGroup
    private let loop: ClientLoop
    private let headers: RequestHeaders

    /// - Throws: ``APNsError`` with ``APNsError/Code/invalidConfiguration`` when the trust roots cannot be read or a
    ///   limit is out of range.
    public init(configuration: APNsConfiguration, logger: Logger) throws(APNsError) {
        try configuration.limits.check()
        let tls = try TLSContext.make(configuration)
        self.configuration = configuration
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        headers = RequestHeaders(endpoint: configuration.endpoint)
        let signer =
            switch configuration.credential {
            case .signingKey(let key): TokenSigner(key: key)
            }
        loop = ClientLoop(
            pool: Pool(limits: configuration.limits, usesTokens: true, seed: configuration.seed),
            signer: signer,
            connector: Connector(
                endpoint: configuration.endpoint, tls: tls, timeout: configuration.limits.connectTimeout,
                eventLoop: group.next()),
            clock: configuration.clock, logger: logger)
    }

    /// Sends a notification and waits for APNs' answer.
    ///
    /// - Parameters:
    ///   - notification: what to send.
    ///   - deadline: how long this may take, waiting for a connection and for the answer included. The default is
    ///     ``APNsConfiguration/defaultDeadline``.
    /// - Returns: what APNs answered; a rejection is an answer too.
    /// - Throws: ``APNsError`` when there is no answer; its code tells a notification that was never sent from one
    ///   that was sent and may have arrived.
    public func send(
        _ notification: APNsNotification, deadline: Duration? = nil
    ) async throws(APNsError) -> APNsOutcome {
        let block = try headers.block(for: notification)
        let slot = SendSlot()
        let result: Result<APNsOutcome, APNsError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let request = SendRequest(
                    headers: block, body: notification.payload.buffer, apnsID: notification.apnsID,
                    deadline: deadline ?? configuration.defaultDeadline
                ) { continuation.resume(returning: $0) }
                slot.fill(request)
                loop.submit(request)
            }
        } onCancel: {
            slot.cancel(loop)
        }
        return try result.get()
    }

    /// Takes no more sends, waits for what is under way (at most ``APNsLimits/shutdownGrace``), closes the connections.
    /// May be called more than once, and returns when it is done.
    public func shutdown() async {
        guard let stopped = loop.shutDown() else { return }
        do {
            try await stopped.get()
            try await group.shutdownGracefully()
        } catch {
            // Two calls at one time: the other one has shut the event loop down.
        }
    }
}
