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
    /// The payload that the sender should send, as `$APNS_PAYLOAD`.
    let payload: String
    /// The environment of the device tokens; `nil` for the simulator's own.
    let tokenEnvironment: APNsEnvironment?
    /// The time from the start to the end of the sender's client certificate; `nil` for a long life.
    ///
    /// With such a time, the sender has no key, so that it uses the certificate.
    let certificateLife: Duration?
    /// Changes the configuration of the simulator before its start.
    let configure: @Sendable (inout SimulatorConfiguration) -> Void
    /// Prepares the simulator for the sender.
    let prepare: @Sendable (APNsSimulator, [DeviceToken]) -> Void
    /// Returns why this sender cannot be judged in the situation; `nil` if it can.
    let obstacle: @Sendable (SenderObservation) -> String?
    /// Returns what the sender did wrong, each as a sentence; empty if it did what it should.
    private let check: @Sendable (SenderObservation) -> [String]

    init(
        _ name: String, _ story: String, demand: String, source: String, deviceCount: Int = 1,
        needsIPv6: Bool = false, payload: String = #"{"aps":{"alert":"Hello"}}"#,
        tokenEnvironment: APNsEnvironment? = nil, certificateLife: Duration? = nil,
        configure: @escaping @Sendable (inout SimulatorConfiguration) -> Void = { _ in },
        prepare: @escaping @Sendable (APNsSimulator, [DeviceToken]) -> Void = { _, _ in },
        obstacle: @escaping @Sendable (SenderObservation) -> String? = { _ in nil },
        check: @escaping @Sendable (SenderObservation) -> [String]
    ) {
        (self.name, self.story, self.demand, self.source) = (name, story, demand, source)
        self.deviceCount = deviceCount
        self.needsIPv6 = needsIPv6
        self.payload = payload
        self.tokenEnvironment = tokenEnvironment
        self.certificateLife = certificateLife
        (self.configure, self.prepare, self.obstacle, self.check) = (configure, prepare, obstacle, check)
    }

    func findings(_ observation: SenderObservation) -> [String] {
        let general = observation.generalFindings
        return general.isEmpty ? check(observation) : general
    }
}
