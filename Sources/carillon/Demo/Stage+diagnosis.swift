import CarillonCore
import CarillonSimulator

extension Stage {
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
        hints += phones.compactMap(ignoredRemoval)
        hints += try await unsent()
        return hints.isEmpty
            ? "Nothing in APNs' journal or in the timeline explains it." : hints.joined(separator: "; ") + "."
    }
}

extension Stage {
    /// What the phone was told to remove and still shows.
    private func ignoredRemoval(on phone: DemoPhone) -> String? {
        let asked = simulator.events().flatMap { event -> [MessageID] in
            guard let device = event.device, device.device == phone.id, case .delivered = device.kind,
                let push = device.push
            else { return [] }
            return CarillonKey(inPayload: push.payload)?.removals ?? []
        }
        guard let message = asked.last(where: { phone.lists($0.rawValue) }) else { return nil }
        return "\(phone.name) was handed the removal of \(message) and still shows it: "
            + "the SDK in its app did not carry out a removal"
    }

    /// Why deliveries of the last message are still waiting, as the timeline has it.
    private func unsent() async throws -> [String] {
        guard let lastSent else { return [] }
        let waiting = try await timeline(lastSent).filter { $0.state == .queued || $0.state == .unanswered }
        guard !waiting.isEmpty else { return [] }
        let details = Set(waiting.compactMap { $0.events.last { $0.detail != nil }?.detail }).sorted()
        return [
            "the timeline says that \(lastSent) waits for \(waiting.count) devices: \(details.joined(separator: ", "))"
        ]
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
