import CarillonCore
import CarillonServer
import CarillonSimulator

extension DemoEnvironment {
    var badges: [Int] { phones.map(\.badge) }

    /// Returns facts from the simulated APNs, the service's database and the phones that may explain a failed check.
    func diagnosis() async throws -> String {
        var hints: [String] = []
        if let refused = simulator.requests().last(where: { $0.rejection != nil })?.rejection {
            hints.append(
                "the last push that APNs rejected: \(refused.status) \(refused.reason.rawValue), \(refused.detail)"
            )
        }
        if sabotage == .simulatorStopped {
            hints.append("APNs accepts no connections; it had \(simulator.requests().count) requests before")
        }
        for phone in phones {
            if let lastSent, let why = phone.why(lastSent) { hints.append("on \(phone.name): \(why)") }
            if let ignored = try await ignoredRemoval(on: phone) { hints.append(ignored) }
        }
        hints += try await unsent()
        return hints.isEmpty
            ? "APNs' journal and the timeline do not explain it."
            : "Possible reasons: " + hints.joined(separator: "; ") + "."
    }
}

extension DemoEnvironment {
    /// Returns a sentence about a removal push that reached a phone but was not confirmed by the app; `nil` if there is none.
    private func ignoredRemoval(on phone: DemoPhone) async throws -> String? {
        let asked = simulator.events().flatMap { event -> [MessageID] in
            guard let device = event.device, device.device == phone.id, case .delivered = device.kind else { return [] }
            return device.push.flatMap { CarillonKey(inPayload: $0.payload)?.removals.map(\.message) } ?? []
        }
        guard let message = asked.last else { return nil }
        let own = try await timeline(message.rawValue).first { $0.device == phone.installation }
        guard let own, !own.events.contains(where: { $0.event == .recalled || $0.event == .expired }) else {
            return nil
        }
        return "the removal of \(message) was delivered to \(phone.name), which has not confirmed it: "
            + "the SDK in the app did not carry out the removal"
    }

    /// Returns sentences that explain why deliveries of the last message are still pending.
    private func unsent() async throws -> [String] {
        guard let lastSent else { return [] }
        let waiting = try await timeline(lastSent).filter { $0.state == .queued || $0.state == .unanswered }
        guard !waiting.isEmpty else { return [] }
        let details = Set(waiting.compactMap { $0.events.last { $0.detail != nil }?.detail }).sorted()
        let why = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        return ["in the timeline, \(lastSent) is still pending for \(waiting.count) devices\(why)"]
    }
}

extension RequestRecord {
    var rejection: Rejection? {
        if case .rejected(let rejection) = decision { rejection } else { nil }
    }

    /// Returns whether the push shows the message.
    ///
    /// A removal push names the message without showing it, so it does not count.
    func isAbout(_ id: String) -> Bool { CarillonKey(inPayload: payload)?.id?.rawValue == id }
}

extension SimulatorPush {
    func isAbout(_ id: String) -> Bool { CarillonKey(inPayload: payload)?.id?.rawValue == id }
}
