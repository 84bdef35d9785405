import CarillonCore
import CarillonServer
import Foundation

/// Compares the service's promises with the pushes that APNs accepted and with the phones' screens.
@MainActor
struct JudgedSystem {
    let store: Store
    let app: AppReference
    let clock: any CarillonClock
    let phones: [SimulatedIPhone]

    /// Phones that the service does not send to yet.
    func unregistered() async throws -> [String] {
        var names: [String] = []
        for phone in phones {
            var device: DeviceRecord?
            if let installation = phone.installation { device = try await store.devices.device(installation) }
            if device?.user != phone.user || device?.confirmed == nil {
                names.append("\(phone.name) is not registered")
            }
        }
        return names
    }

    /// - Returns: a sentence for each promise that is not kept; none when all is well.
    func wrong(_ messages: [SimulatedBackend.Known], _ census: PushCensus) async throws -> [String] {
        var wrong: [String] = []
        if try await store.sending.waiting(in: app.number, atMost: 1) > 0 { wrong.append("pushes wait to be sent") }
        let aside = try await store.upkeep.health().setAside
        if aside > 0 { wrong.append("\(aside) deliveries are set aside") }
        // A removal push takes several messages away, and a later attempt at it perhaps others.
        var told: [String: Int] = [:]
        var words: [String: [String]] = [:]
        for message in messages {
            let devices = try await devices(of: message)
            for device in devices {
                told.merge(device.attempts, uniquingKeysWith: max)
                for push in device.attempts.keys { words[push, default: []].append("\(message.id): \(device.words)") }
            }
            wrong += try await self.wrong(message, devices, census)
        }
        for (push, attempt) in told where census.taken[push] ?? 0 > attempt {
            wrong.append(
                """
                \(push) was taken \(census.taken[push] ?? 0) times (\(census.words(of: push))), and is told as attempt \
                \(attempt) (\(words[push, default: []].joined(separator: "; ")))
                """)
        }
        return wrong
    }

    private func devices(of message: SimulatedBackend.Known) async throws -> [DeviceTimeline] {
        let reference = MessageReference(try MessageID(message.id), of: app.number)
        return try await store.messages.timeline(reference, after: nil, limit: 100, at: clock.now)?.devices ?? []
    }

    private func wrong(
        _ message: SimulatedBackend.Known, _ devices: [DeviceTimeline], _ census: PushCensus
    ) async throws -> [String] {
        let reference = MessageReference(try MessageID(message.id), of: app.number)
        guard let report = try await store.messages.report(reference, at: clock.now) else {
            return ["\(message.id) was promised, and is lost"]
        }
        var wrong: [String] = []
        if report.revision != message.revision {
            wrong.append("\(message.id) has revision \(report.revision), not \(message.revision)")
        }
        if (report.recalledAt != nil) != message.isRecalled {
            wrong.append("\(message.id) is recalled: \(report.recalledAt != nil), promised: \(message.isRecalled)")
        }
        if report.counts.queued > 0 { wrong.append("\(message.id) is still queued for \(report.counts.queued)") }
        if let recall = report.recall, recall.values.reduce(0, +) != devices.count {
            wrong.append("the recall of \(message.id) has \(recall) of \(devices.count) devices")
        }
        for phone in phones where message.content.user.map({ phone.user == "user-\($0)" }) ?? true {
            guard let device = devices.first(where: { $0.device == phone.installation }) else {
                wrong.append("\(message.id) is not for \(phone.name)")
                continue
            }
            wrong += self.wrong(message, on: phone, device, census).map { "\(message.id) on \(phone.name): \($0)" }
        }
        return wrong
    }

    private func wrong(
        _ message: SimulatedBackend.Known, on phone: SimulatedIPhone, _ device: DeviceTimeline, _ census: PushCensus
    ) -> [String] {
        var wrong: [String] = []
        let isRead = message.readers.contains { "user-\($0)" == phone.user }
        if !message.isRecalled, !isRead, !device.isEnded, !device.wasAccepted(revision: message.revision) {
            wrong.append("promised and never accepted: \(device.words)")
        }
        if message.isRecalled || isRead, phone.listed.contains(message.id) {
            wrong.append("recalled or read, and there to be seen: \(device.words)\n\(phone.account(of: message.id))")
        }
        for event in device.events where event.event == .accepted {
            guard let push = event.apnsID, census.taken[push] == nil else { continue }
            wrong.append("told as accepted, and APNs has never seen it: \(push)")
        }
        let token = phone.token ?? ""
        if message.isRecalled, device.recall == .neverSent, census.messages[token]?.contains(message.id) == true {
            wrong.append("told as never sent, and APNs has taken it: \(device.words)")
        }
        return wrong
    }
}

extension DeviceTimeline {
    /// It was read on another device, or could not be sent any more, so it need not have been accepted.
    fileprivate var isEnded: Bool { events.contains { $0.event == .cancelled || $0.event == .opened } }

    fileprivate func wasAccepted(revision: Int) -> Bool {
        events.contains { $0.event == .accepted && $0.revision == revision }
    }

    /// The highest attempt that is told of each push.
    fileprivate var attempts: [String: Int] {
        events.reduce(into: [:]) { attempts, event in
            guard let push = event.apnsID, let attempt = event.attempt else { return }
            attempts[push] = max(attempts[push] ?? 0, attempt)
        }
    }

    fileprivate var words: String {
        events.map { "\($0.event) \($0.purpose.map { "\($0)" } ?? "") r\($0.revision) a\($0.attempt ?? 0)" }
            .joined(separator: ", ")
    }
}
