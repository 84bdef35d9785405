import CarillonCore
import Foundation

@testable import CarillonServer

let noon = Timestamp(secondsSince1970: 1_800_000_000)
let topic = "com.example.chime"
/// The two apps of a store that a test is given.
let chime = AppReference(number: AppNumber(rawValue: 1), topic: topic)
let ferry = AppReference(number: AppNumber(rawValue: 2), topic: "com.example.ferry")

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
    _ id: String, user: String? = nil, token: String? = nil, secret: UInt8 = 1, app: AppReference = chime,
    environment: APNsEnvironment = .sandbox, tags: [String] = [], former: NewDevice.Former? = nil,
    nonce: String = "nonce"
) -> NewDevice {
    NewDevice(
        id: id, secretHash: Data(repeating: secret, count: 32), app: app, environment: environment,
        token: testToken(token ?? Data(id.utf8).hexadecimal), user: user,
        facts: DeviceFacts(permission: .authorized, tags: tags), former: former, nonce: nonce)
}

func testToken(_ hex: String) -> DeviceToken {
    guard let token = DeviceToken(hex: hex) else { fatalError("\(hex) is no token") }
    return token
}

func message(
    _ id: String, to audience: Audience, mode: DeliveryMode = .visible, until: Timestamp? = nil, text: String = "Hello",
    badge: Bool = true, counts: Bool = true, key: String? = nil, app: AppReference = chime, replaces: Bool = false
) throws -> NewMessage {
    let payload = Payload(aps: Aps(alert: .text(text)))
    return NewMessage(
        id: try MessageID(id), app: app, mode: mode, until: until, payload: try payload.encoded(),
        badgeIsUnreadCount: badge, countsAsUnread: counts, audience: audience,
        replacesOtherAudience: replaces, fingerprint: Data(text.utf8),
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
    /// Registers a device whose token APNs then confirms.
    @discardableResult
    func enrol(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        let outcome = try await register(device, at: now)
        let later = now + .seconds(10)
        for delivery in try await claim(everything(worker: "enrol", at: later), at: later).deliveries {
            let result: Settlement.Result =
                delivery.purpose == .tokenCheck
                ? .accepted(fallbackDue: nil) : .retry(at: now, rejection: nil, mayHaveArrived: false)
            var settlement = delivery.settled(result, at: now)
            if delivery.purpose != .tokenCheck { settlement.sent = nil }
            _ = try await settle([settlement], worker: "enrol", at: now)
        }
        return outcome
    }

    // What follows is about the first app, as most tests are.

    func report(_ id: MessageID, at now: Timestamp) async throws -> NotificationReport? {
        try await report(MessageReference(id, of: chime.number), at: now)
    }

    func timeline(_ id: MessageID, after device: String?, limit: Int, at now: Timestamp) async throws -> Timeline? {
        try await timeline(MessageReference(id, of: chime.number), after: device, limit: limit, at: now)
    }

    @discardableResult
    func recall(_ id: MessageID, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await recall(MessageReference(id, of: chime.number), at: now)
    }

    func recallAnswer(_ id: MessageID, limit: Int) async throws -> RecallAnswer? {
        try await recallAnswer(MessageReference(id, of: chime.number), limit: limit)
    }

    func markRead(
        _ selection: ReadSelection, user: String, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome {
        try await markRead(selection, user: UserReference(user, of: chime.number), on: device, at: now)
    }

    func inbox(user: String, before number: Int64?, limit: Int, at now: Timestamp) async throws -> [InboxEntry] {
        try await inbox(user: UserReference(user, of: chime.number), before: number, limit: limit, at: now)
    }

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
