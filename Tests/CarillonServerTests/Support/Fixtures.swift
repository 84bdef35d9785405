import CarillonCore
import Foundation

@testable import CarillonServer

let noon = Timestamp(secondsSince1970: 1_800_000_000)
let topic = "com.example.chime"

extension MessageID {
    /// For ids that a test writes out.
    init(test text: String) {
        do { try self.init(text) } catch { fatalError("\(text): \(error)") }
    }
}

extension RandomSource {
    /// The same bytes in every run.
    static func seeded(_ seed: UInt64) -> RandomSource {
        let generator = SharedGenerator(seed: seed)
        return RandomSource { count in generator.bytes(count) }
    }
}

/// A device that is registered with `Store.register`.
func device(
    _ id: String, user: String? = nil, token: String? = nil, secret: UInt8 = 1, topic: String = topic,
    environment: APNsEnvironment = .sandbox, tags: [String] = []
) -> DeviceRecord {
    let hex = token ?? Data(id.utf8).hexadecimal
    return DeviceRecord(
        id: id, secretHash: Data(repeating: secret, count: 32), topic: topic, environment: environment,
        token: DeviceToken(hex: hex), tokenRegistered: noon, user: user,
        facts: DeviceFacts(permission: .authorized, tags: tags))
}

func message(
    _ id: String, to audience: Audience, mode: DeliveryMode = .visible, until: Timestamp? = nil, text: String = "Hello",
    badge: Bool = true, counts: Bool = true, key: String? = nil, topic: String = topic
) throws -> NewMessage {
    let payload = Payload(aps: Aps(alert: .text(text)))
    return NewMessage(
        id: try MessageID(id), topic: topic, mode: mode, until: until, payload: try payload.encoded(),
        badgeIsUnreadCount: badge, countsAsUnread: counts, audience: audience, fingerprint: Data(text.utf8),
        idempotencyKey: key.map { IdempotencyKey(owner: "backend", key: $0) })
}

func receipt(_ event: ReceiptEvent, _ message: String, id: String? = nil, at: Timestamp = noon) -> Receipt {
    Receipt(id: id ?? "\(message)-\(event.rawValue)", message: MessageID(test: message), event: event, at: at)
}

/// A claim of everything that is due.
func everything(worker: String = "w", at now: Timestamp = noon, limit: Int = 100) -> ClaimRequest {
    ClaimRequest(worker: worker, limit: limit, leaseUntil: now + .seconds(60))
}

extension ClaimedDelivery {
    /// What is written down when APNs took it at once.
    func settled(_ result: Settlement.Result = .accepted(fallbackDue: nil), at now: Timestamp = noon) -> Settlement {
        Settlement(
            number: number, revision: revision, attempt: attempt, sent: now, at: now, apnsID: "id-\(number)",
            result: result)
    }
}

extension Store {
    /// Claims and settles everything as accepted.
    @discardableResult
    func deliverAll(at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        let claim = try await claim(everything(at: now), at: now)
        _ = try await settle(claim.deliveries.map { $0.settled(at: now) }, worker: "w", at: now)
        return claim.deliveries
    }

    func kinds(_ message: String, on device: String, at now: Timestamp = noon) async throws -> [TimelineEventKind] {
        let timeline = try await timeline(MessageID(test: message), after: nil, limit: 100, at: now)
        return timeline?.devices.first { $0.device == device }?.events.map(\.event) ?? []
    }
}
