import CarillonCore
import CarillonSimulator

/// A situation in which a sender of pushes can find itself, with what APNs asks of senders in it.
///
/// The sender is run once, against a simulator of its own, and must send one alert to each of the situation's device tokens.
struct SenderSituation: Sendable {
    /// The name for options and JSON.
    let name: String
    /// The event, as a line of the report.
    let story: String
    /// The behaviour that is asked of the sender.
    let demand: String
    /// The address of the page that asks for it.
    let source: String
    /// The number of device tokens.
    let deviceCount: Int
    /// Whether the situation can be played only on a machine with IPv6.
    let needsIPv6: Bool
    /// Changes the configuration of the simulator before its start.
    let configure: @Sendable (inout SimulatorConfiguration) -> Void
    /// Prepares the simulator for the sender.
    let prepare: @Sendable (APNsSimulator, [DeviceToken]) -> Void
    /// Returns what the sender did wrong, each as a sentence; empty if it did what it should.
    private let check: @Sendable (SenderObservation) -> [String]

    init(
        _ name: String, _ story: String, demand: String, source: String, deviceCount: Int = 1,
        needsIPv6: Bool = false,
        configure: @escaping @Sendable (inout SimulatorConfiguration) -> Void = { _ in },
        prepare: @escaping @Sendable (APNsSimulator, [DeviceToken]) -> Void = { _, _ in },
        check: @escaping @Sendable (SenderObservation) -> [String]
    ) {
        (self.name, self.story, self.demand, self.source) = (name, story, demand, source)
        self.deviceCount = deviceCount
        self.needsIPv6 = needsIPv6
        (self.configure, self.prepare, self.check) = (configure, prepare, check)
    }

    func findings(_ observation: SenderObservation) -> [String] {
        let general = observation.generalFindings
        return general.isEmpty ? check(observation) : general
    }
}
