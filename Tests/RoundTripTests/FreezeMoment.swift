import CarillonCore
import CarillonSimulator
import Testing

/// A moment in a sender's work at which the sender is stopped.
enum FreezeMoment: String, Sendable, Hashable, CaseIterable, CustomTestStringConvertible {
    /// APNs has just taken a connection, and nothing has been sent over it.
    case connecting
    /// APNs has just got a push; others are still to be written.
    case writing
    /// APNs has got pushes, and its answers come while the sender stands still.
    case answering

    /// The time that APNs takes for its answers, so that they come after the sender was stopped.
    private static let latency = Duration.milliseconds(500)

    var testDescription: String { rawValue }

    /// Does `work`, waits until the moment has come at APNs, and then stops the sender.
    ///
    /// - Parameters:
    ///   - apns: where the sender's connections and pushes arrive. Nobody but this sender may send.
    ///   - patience: the longest wait for the moment.
    ///   - clock: the clock that measures it.
    ///   - work: what makes the sender send.
    ///   - freeze: what stops the sender. It is called in any case.
    /// - Returns: whether the moment has come.
    @MainActor
    func stop(
        at apns: APNsSimulator, within patience: Duration, by clock: any CarillonClock,
        work: @MainActor () async throws -> Void, freeze: @MainActor () -> Void
    ) async throws -> Bool {
        let events = apns.eventStream()
        let latency = apns.faults.plan.latency
        switch self {
        case .connecting: await apns.closeAllConnections()
        case .writing: break
        case .answering: apns.faults.plan.latency = .constant(Self.latency)
        }
        defer { apns.faults.plan.latency = latency }
        try await work()
        let hasCome = await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                for await event in events where isCome(event) { return true }
                return false
            }
            tasks.addTask {
                try? await clock.sleep(for: patience)
                return false
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? false
        }
        freeze()
        return hasCome
    }

    private func isCome(_ event: SimulatorEvent) -> Bool {
        switch self {
        case .connecting: if case .opened = event.connection?.kind { true } else { false }
        case .writing, .answering: event.request != nil
        }
    }
}
