import CarillonCore
import CarillonServer
import CarillonSimulator
import Foundation
import ServiceSupport

/// The components of the demo, with checks on the phones' screens, in the simulated APNs' records and in the service's database.
///
/// The service runs in a separate operating-system process. The demo opens the service's database at the same time, to read it.
@MainActor
final class DemoEnvironment {
    static let topic = "com.example.chime"
    static let user = "ada"
    /// The phone on which the app Chime is open; ``locked`` is the other phone.
    let open: DemoPhone
    let locked: DemoPhone
    var phones: [DemoPhone] { [open, locked] }

    let clock: SystemClock
    let simulator: APNsSimulator
    let sabotage: Sabotage?
    private let service: DemoService
    private let store: Store

    /// The sentences of the checks that have passed in the current step.
    private(set) var observed: [String] = []
    private(set) var lastSent: String?

    init(
        service: DemoService, simulator: APNsSimulator, phones: (DemoPhone, DemoPhone), sabotage: Sabotage?,
        clock: SystemClock
    ) throws {
        self.service = service
        self.simulator = simulator
        self.sabotage = sabotage
        self.clock = clock
        (open, locked) = phones
        store = try service.openStore()
    }

    func beginStep() { observed = [] }

    /// Waits until `check` returns `true`, and adds the sentence to ``observed``.
    ///
    /// If `check` has not returned `true` within ``PhonesLimits/demoCheckTime``, the method throws ``DemoFailure`` with the
    /// sentence and a diagnosis.
    func see(_ sentence: String, _ check: () async throws -> Bool) async throws {
        let deadline = clock.uptime + PhonesLimits.demoCheckTime
        while try await !check() {
            guard clock.uptime < deadline else {
                throw DemoFailure(
                    "not observed within \(PhonesLimits.demoCheckTime): \(sentence). \(try await diagnosis())")
            }
            try await clock.sleep(for: .milliseconds(20))
        }
        observed.append(sentence)
    }

    func wait(until moment: Timestamp) async throws { try await clock.sleep(until: moment) }

    // MARK: - Requests of a backend

    /// Sends a message to the user, and throws an error unless the service answers 202.
    ///
    /// - Returns: the time at which the message expires; a year from now if the message does not expire.
    @discardableResult
    func send(
        _ id: String, _ title: String, link: String = "https://chime.example/news", mode: DeliveryMode = .visible,
        validFor validity: Duration? = nil, removesExpired: Bool = true
    ) async throws -> Timestamp {
        let until = validity.map { clock.now + $0 }
        var message: [String: JSONValue] = [
            "id": .string(id),
            "to": ["user": .string(Self.user)],
            "payload": [
                "aps": [
                    "alert": ["title": .string(title), "body": "Chime has the details."], "sound": "default",
                    "link_url": .string(link), "category": "NEWS_CATEGORY",
                ]
            ],
            "mode": .string(mode.rawValue),
        ]
        lastSent = id
        message["until"] = until.map { .string($0.description) }
        if until != nil { message["remove_expired"] = .bool(removesExpired) }
        let answer = try await service.backend.send(.object(message))
        guard answer.status == 202 else { throw DemoFailure("the service did not accept \(id): \(answer.problem)") }
        observed.append("POST /v1/notifications returned 202 for \(id)")
        return until ?? clock.now + .seconds(365 * 24 * 3600)
    }

    func recall(_ id: String) async throws {
        let answer = try await service.backend.recall(id)
        guard (200..<300).contains(answer.status) else {
            throw DemoFailure("the service did not accept the recall of \(id): \(answer.problem)")
        }
    }

    func killService() async { await service.kill() }

    func restartService(sending: Bool) async throws { try await service.restart(sending: sending) }

    // MARK: - Checks in APNs' journal

    /// Returns the number of pushes of the message that APNs has accepted.
    func accepted(_ id: String) -> Int {
        simulator.requests().count { request in
            guard case .accepted = request.decision, !request.apnsID.isEmpty else { return false }
            return request.isAbout(id)
        }
    }

    func hasToken(_ phone: DemoPhone) -> Bool {
        simulator.events().contains { event in
            guard let device = event.device, device.device == phone.id, case .tokenIssued = device.kind else {
                return false
            }
            return true
        }
    }

    /// Returns whether APNs has stored a push for the phone, because the phone was offline.
    func isStored(for phone: DemoPhone) -> Bool {
        simulator.events().contains { event in
            guard let device = event.device, device.device == phone.id, case .stored(.offline, _) = device.kind else {
                return false
            }
            return true
        }
    }

    /// Returns whether APNs delivered a push of the message to the phone after the push had expired.
    func wasHandedOverLate(_ id: String, to phone: DemoPhone) -> Bool {
        simulator.events().contains { event in
            guard let device = event.device, device.device == phone.id, device.kind == .delivered(late: true) else {
                return false
            }
            return device.push?.isAbout(id) ?? false
        }
    }

    /// Whether APNs has answered the push by which the service checks a new token.
    var hasTriedToken: Bool { !simulator.requests().isEmpty }

    // MARK: - Checks in the service's database

    func devicesOfTheUser() async throws -> Int {
        var count = 0
        for phone in phones {
            guard let installation = phone.installation else { continue }
            if try await store.devices.device(installation)?.user == Self.user { count += 1 }
        }
        return count
    }

    /// Returns, for each kind in `events`, how many devices on the message's timeline have such an event.
    ///
    /// - Returns: the numbers of devices, in the order of `events`.
    func devices(_ id: String, that events: TimelineEventKind...) async throws -> [Int] {
        let devices = try await timeline(id)
        return events.map { event in devices.count { $0.events.contains { $0.event == event } } }
    }

    /// Returns the reason that the phone reported for the message's expiry; `nil` if the phone reported no reason.
    func expiryReason(_ id: String, on phone: DemoPhone) async throws -> String? {
        let device = try await timeline(id).first { $0.device == phone.installation }
        return device?.events.first { $0.event == .expired && $0.inferred != true }?.detail
    }

    /// Returns the number of phones that confirmed the removal of the message.
    func removed(_ id: String) async throws -> Int { try await timeline(id).count { $0.recall == .confirmed } }

    func isQueued(_ id: String) async throws -> Bool {
        let devices = try await timeline(id)
        return devices.count == phones.count && devices.allSatisfy { $0.state == .queued }
    }

    func timeline(_ id: String) async throws -> [DeviceTimeline] {
        guard let app = try await store.apps.app(Self.topic) else { return [] }
        let message = MessageReference(try MessageID(id), of: app.reference.number)
        return try await store.messages.timeline(message, after: nil, limit: 100, at: clock.now)?.devices ?? []
    }
}
