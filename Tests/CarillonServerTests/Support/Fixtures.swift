import CarillonAPNs
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
    /// Makes a source whose bytes are equal in every run.
    static func seeded(_ seed: UInt64) -> RandomSource {
        let generator = SharedGenerator(seed: seed)
        return RandomSource { count in generator.bytes(count) }
    }
}

/// A device that is registered with `Store.register`.
func device(
    _ id: String, user: String? = nil, token: String? = nil, secret: UInt8 = 1, app: AppReference = chime,
    environment: APNsEnvironment = .sandbox, tags: [String] = [], nonce: String = "nonce"
) -> NewDevice {
    NewDevice(
        id: id, secretHash: Data(repeating: secret, count: 32), app: app, environment: environment,
        token: testToken(token ?? Data(id.utf8).hexadecimal), user: user,
        facts: DeviceFacts(permission: .authorized, tags: tags), nonce: nonce)
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

/// A claim of everything that is due, by a sender with that name.
struct TestClaim {
    var worker: String
    var limit: Int
    var except: Set<AppID> = []
    var only: AppID?
}

func everything(worker: String = "w", limit: Int = 100) -> TestClaim { TestClaim(worker: worker, limit: limit) }

/// Makes the outcome of a push that APNs refuses.
func rejected(_ reason: String, _ status: Int, since: Timestamp? = nil) -> SendOutcome {
    .rejected(APNsRejection(APNsReason(rawValue: reason), status, since: since))
}

extension APNsRejection {
    init(_ reason: APNsReason, _ status: Int, since: Timestamp? = nil) {
        self.init(reason: reason, status: status, timestamp: since, apnsID: noID)
    }
}

let noID = PushIdentifier.uuid(name: "none", namespace: [])

extension ClaimedDelivery {
    /// Makes the record of its outcome; by default APNs accepted it at once.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - now: when it was handed over, and answered.
    ///   - badge: what the push does to the number on the icon. The default is nothing.
    func settled(
        _ outcome: SendOutcome = .accepted(apnsID: noID), at now: Timestamp = noon, badge: BadgeEffect = .none
    ) -> SentPush {
        SentPush(
            HandOver([setting(badge)], began: now, uptime: .zero), place: 0, outcome, at: now)
    }

    private func setting(_ badge: BadgeEffect) -> ClaimedDelivery {
        var push = self
        push.unread = if case .unread(let count) = badge { count } else { nil }
        guard let message else { return push }
        var payload = message.payload
        payload.aps.badge = badge == .sender ? 1 : nil
        push.message = ClaimedMessage(
            id: message.id, mode: message.mode, until: message.until, payload: payload,
            badgeIsUnreadCount: badge != .sender, dialect: message.dialect, notice: message.notice,
            keepsReplies: message.keepsReplies, isNowOrNever: message.isNowOrNever)
        return push
    }
}

/// A push under a lease, to any device.
func claimedPush(
    _ lease: Lease, _ purpose: PushPurpose = .show, revision: Int = 1, attempt: Int = 1
) -> ClaimedDelivery {
    ClaimedDelivery(
        number: 1, purpose: purpose, lease: lease, lane: .single, device: "d",
        app: AppID(topic: topic, environment: .sandbox), token: testToken("aa"), revision: revision, attempt: attempt,
        removals: [], hasMoreRemovals: false, hasUnanswered: false)
}

extension SentPush {
    /// The report on a push that is changed so, with the same outcome.
    func changed(_ change: (inout ClaimedDelivery) -> Void) -> SentPush {
        var pushes = handOver.pushes.filter { $0.number == number }
        for index in pushes.indices { change(&pushes[index]) }
        return SentPush(
            HandOver(pushes[...], began: handOver.began, uptime: handOver.uptime), place: 0, outcome, at: at,
            jitter: jitter)
    }
}

extension Store {
    /// The number of a sender with that name, which nothing proves to be alive or dead.
    func sender(_ name: String) async throws -> SenderNumber {
        let known = try await read {
            try $0.row("SELECT number FROM senders WHERE name = ?", [name])?["number"] as Int64?
        }
        if let known { return SenderNumber(rawValue: known) }
        return try await write(at: noon) { transaction in
            let number = try transaction.insertNumbered("INSERT INTO senders (name) VALUES (?)", [name])
            return SenderNumber(rawValue: try number ?? transaction.notWritten("sender"))
        }
    }

    /// Damages a row, as a disk or a hand may.
    func damagePayload(of message: String) async throws {
        try await write(at: noon) {
            try $0.execute("UPDATE messages SET payload = ? WHERE id = ?", [Data([0x7b]), message])
        }
    }

    func claim(_ claim: TestClaim, at now: Timestamp) async throws -> Claim {
        var request = ClaimRequest(sender: try await sender(claim.worker), limit: claim.limit)
        (request.except, request.only) = (claim.except, claim.only)
        return try await self.claim(request, at: now)
    }

    @discardableResult
    func settle(_ settlements: [SentPush], at now: Timestamp) async throws -> [TimelineEvent] {
        try await settle(settlements, SendingRules(), at: now).timeline
    }

    /// Registers a device whose token APNs then confirms.
    @discardableResult
    func enrol(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        let outcome = try await register(device, at: now)
        try await confirmAll(at: now)
        return outcome
    }

    /// Registers many devices in few transactions.
    func enrol(_ devices: [NewDevice], at now: Timestamp) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { _ = try await self.register(device, at: now) } }
            try await group.waitForAll()
        }
        try await confirmAll(at: now)
    }

    private func confirmAll(at now: Timestamp) async throws {
        let claim = try await claim(everything(worker: "enrol", limit: 10_000), at: now + .seconds(600))
        let settlements = claim.deliveries.map { delivery in
            delivery.purpose == .tokenCheck ? delivery.settled(at: now) : delivery.settled(.noCredential(""), at: now)
        }
        try await settle(settlements, at: now)
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
        let claim = try await claim(everything(), at: now)
        _ = try await settle(claim.deliveries.map { $0.settled(at: now) }, at: now)
        return claim.deliveries
    }

    func kinds(_ message: String, on device: String, at now: Timestamp = noon) async throws -> [TimelineEventKind] {
        let timeline = try await timeline(MessageID(test: message), after: nil, limit: 100, at: now)
        return timeline?.devices.first { $0.device == device }?.events.map(\.event) ?? []
    }
}
