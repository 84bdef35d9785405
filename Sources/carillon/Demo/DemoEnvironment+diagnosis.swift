import CarillonCore
import CarillonSimulator

extension DemoEnvironment {
    var badges: [Int] { phones.map(\.badge) }

    /// What the journal, the database and the phones say that may explain why something was not seen.
    func diagnosis() async throws -> String {
        var hints: [String] = []
        if let refused = simulator.requests().last(where: { $0.rejection != nil })?.rejection {
            hints.append(
                "APNs refused the last push it did not take: \(refused.status) \(refused.reason.rawValue), \(refused.detail)"
            )
        }
        if sabotage == .simulatorStopped {
            hints.append("APNs has had \(simulator.requests().count) requests and takes no connections")
        }
        for phone in phones {
            if let lastSent, let why = phone.why(lastSent) { hints.append("\(phone.name) says: \(why)") }
            if let ignored = try await ignoredRemoval(on: phone) { hints.append(ignored) }
        }
        hints += try await unsent()
        return hints.isEmpty
            ? "Nothing in APNs' journal or in the timeline explains it." : hints.joined(separator: "; ") + "."
    }
}

extension DemoEnvironment {
    /// The removal that a phone was handed and has not confirmed.
    private func ignoredRemoval(on phone: DemoPhone) async throws -> String? {
        let asked = simulator.events().flatMap { event -> [MessageID] in
            guard let device = event.device, device.device == phone.id, case .delivered = device.kind else { return [] }
            return device.push.flatMap { CarillonKey(inPayload: $0.payload)?.removals.map(\.message) } ?? []
        }
        guard let message = asked.last else { return nil }
        let own = try await timeline(message.rawValue).first { $0.device == phone.installation }
        guard let own, !own.events.contains(where: { $0.event == .recalled }) else { return nil }
        return "\(phone.name) was handed the removal of \(message) and has not confirmed it: "
            + "the SDK in its app did not carry out a removal"
    }

    /// Why deliveries of the last message are still waiting, as the timeline has it.
    private func unsent() async throws -> [String] {
        guard let lastSent else { return [] }
        let waiting = try await timeline(lastSent).filter { $0.state == .queued || $0.state == .unanswered }
        guard !waiting.isEmpty else { return [] }
        let details = Set(waiting.compactMap { $0.events.last { $0.detail != nil }?.detail }).sorted()
        let why = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        return ["the timeline says that \(lastSent) waits for \(waiting.count) devices\(why)"]
    }
}

extension RequestRecord {
    var rejection: Rejection? {
        if case .rejected(let rejection) = decision { rejection } else { nil }
    }

    /// Whether the request shows the message; a removal only mentions it.
    func isAbout(_ id: String) -> Bool { CarillonKey(inPayload: payload)?.id?.rawValue == id }
}

extension SimulatorPush {
    func isAbout(_ id: String) -> Bool { CarillonKey(inPayload: payload)?.id?.rawValue == id }
}
