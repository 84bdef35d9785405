import CarillonCore
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One signed request to a webhook, as [Standard Webhooks](https://www.standardwebhooks.com) describes it.
struct WebhookRequest: Sendable {
    let id: String
    let body: Data
    private let secrets: [Data]

    init(_ claimed: ClaimedWebhook) {
        id = claimed.messageID
        secrets = claimed.standing.secrets
        body = Data("{\"events\":\(FeedEvent.json(of: claimed.events))}".utf8)
    }

    /// Returns the headers of an attempt.
    ///
    /// `webhook-id` and the body are equal in all attempts. The signature covers the time, so it differs.
    func headers(at now: Timestamp) -> [(String, String)] {
        let seconds = "\(now.millisecondsSince1970 / 1000)"
        let signed = Data("\(id).\(seconds).".utf8) + body
        let signatures = secrets.map { "v1,\(Self.signature(of: signed, by: $0))" }
        return [
            ("content-type", "application/json"), ("user-agent", "Carillon"), ("webhook-id", id),
            ("webhook-timestamp", seconds), ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }

    private static func signature(of data: Data, by secret: Data) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: secret))).base64EncodedString()
    }

    /// Makes an attempt at the request, for at most ``ServiceLimits/webhookTime``.
    ///
    /// - Parameters:
    ///   - url: the webhook's address.
    ///   - reachesPrivateNetworks: whether the address may be in the host's own networks.
    ///   - clock: the source of time.
    /// - Returns: what it has brought. Redirects are not followed, so they are failures.
    func attempt(
        at url: String, reachesPrivateNetworks: Bool, _ clock: any CarillonClock
    ) async -> WebhookPace.Answer {
        // The time begins before the exchange: a request that has come is under its time already.
        let (time, end) = AsyncStream.makeStream(of: Void.self)
        let timer = clock.schedule(after: ServiceLimits.webhookTime) { end.finish() }
        defer { timer.cancel() }
        return await withTaskGroup(of: WebhookPace.Answer.self) { group in
            group.addTask { await exchange(at: url, reachesPrivateNetworks, clock.now) }
            group.addTask {
                for await _ in time {}
                return .failed("no answer within \(ServiceLimits.webhookTime.wholeMilliseconds / 1000) s")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failed("no answer")
        }
    }

    private func exchange(
        at url: String, _ reachesPrivateNetworks: Bool, _ now: Timestamp
    ) async -> WebhookPace.Answer {
        do {
            let target = try WebhookTarget(url, reachesPrivateNetworks: reachesPrivateNetworks)
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let addresses = try await target.addresses(reachesPrivateNetworks: reachesPrivateNetworks, on: loop)
            return try await WebhookConnection(target: target, addresses: addresses).post(headers(at: now), body)
        } catch let refusal as WebhookTarget.Refusal {
            return .failed(refusal.description)
        } catch {
            return .failed(Self.words(error))
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as NIOSSLError:
            "TLS failed: does the certificate belong to the name, and does the service's system trust it? (\(error))"
        case let error as NIOSSLExtraError: "TLS failed: the certificate does not belong to the name (\(error))"
        case is BoringSSLError: "TLS failed: \(error)"
        case ChannelError.eof: "the endpoint closed the connection without an answer"
        case let error as NIOConnectionError: error.connectionErrors.last.map { words($0.error) } ?? "no connection"
        case let error as IOError: "no connection: \(String(cString: strerror(error.errnoCode)))"
        case is ChannelError: "no connection: \(error)"
        case is HTTPParserError: "the answer is not HTTP/1.1"
        default: "\(type(of: error))"
        }
    }
}
