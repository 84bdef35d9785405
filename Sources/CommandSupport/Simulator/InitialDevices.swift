import CarillonCore
import CarillonSimulator

/// The devices that `carillon apns-simulator` creates when it starts.
package struct InitialDevices {
    /// The device tokens by topic; each list has the tokens of the devices `device-1`, `device-2` and so on, in this order.
    package private(set) var tokens: [String: [String]] = [:]
    /// The device tokens of the additional devices for load tests, one token per line.
    ///
    /// The devices' names are `fleet-1`, `fleet-2` and so on. All tokens are for the simulator's first topic in alphabetical
    /// order. There may be a million of them, so they are stored as one text.
    package private(set) var fleet = ""

    package init() {}

    /// Creates the devices of a recording, and scripts its answers.
    package init(replaying recording: APNsRecording, on simulator: APNsSimulator) {
        tokens = recording.replay(on: simulator)
    }

    /// Creates the devices on a simulator.
    ///
    /// - Parameters:
    ///   - simulator: the simulator that issues the tokens.
    ///   - count: the number of devices with the names `device-1`, `device-2` and so on; each has a token for every topic.
    ///   - offline: the number of these devices that are offline, counted from `device-1`.
    ///   - fleetCount: the number of additional devices with the names `fleet-1`, `fleet-2` and so on. All of them are online,
    ///     and have a token for the alphabetically first topic only.
    ///   - environment: the environment of the tokens; `nil`, the default, for the simulator's own.
    package init(
        on simulator: APNsSimulator, count: Int, offline: Int, fleetCount: Int, environment: APNsEnvironment? = nil
    ) {
        func issue(_ device: String, _ topic: String) -> String {
            simulator.devices.issueToken(
                device: device, topic: topic, environment: environment ?? simulator.environment
            )
            .hexadecimal
        }
        for topic in simulator.topics.sorted() {
            tokens[topic] = []
            for number in 0..<count {
                tokens[topic, default: []].append(issue("device-\(number + 1)", topic))
            }
        }
        for number in offline..<max(offline, count) {
            simulator.devices.connect(device: "device-\(number + 1)") { _ in }
        }
        guard fleetCount > 0, let topic = simulator.topics.sorted().first else { return }
        for number in 1...fleetCount {
            let device = "fleet-\(number)"
            fleet += issue(device, topic) + "\n"
            simulator.devices.connect(device: device) { _ in }
        }
    }
}
