import CarillonCore
import CarillonSimulator
import Foundation
import Logging

/// A simulator for one test, with a clock that stands still.
struct SimulatorFixture: Sendable {
    static let start = Timestamp(secondsSince1970: 1_790_000_000)
    static let bundleID = "com.example.chime"

    let simulator: APNsSimulator
    let clock: ManualClock

    static func with<Result>(
        _ adjust: (inout SimulatorConfiguration) -> Void = { _ in }, _ body: (SimulatorFixture) async throws -> Result
    ) async throws -> Result {
        let clock = ManualClock(start: start)
        var configuration = SimulatorConfiguration(clock: clock, seed: 7, topics: [bundleID, "com.example.other"])
        adjust(&configuration)
        let simulator = try await APNsSimulator.start(configuration, logger: Logger(label: "test"))
        do {
            let result = try await body(SimulatorFixture(simulator: simulator, clock: clock))
            await simulator.shutdown()
            return result
        } catch {
            await simulator.shutdown()
            throw error
        }
    }

    func token(device: String = "phone", topic: String = bundleID) -> DeviceToken {
        let data = simulator.devices.issueToken(device: device, topic: topic, environment: simulator.environment)
        guard let token = DeviceToken(data) else { preconditionFailure("the simulator issued no token") }
        return token
    }

    /// The first event that `isMeant` accepts, past or to come.
    func event<Value>(_ isMeant: (SimulatorEvent) -> Value?) async -> Value? {
        for await event in simulator.eventStream() {
            if let value = isMeant(event) { return value }
        }
        return nil
    }

    /// Moves the clock to whatever is due next, again and again, until `operation` is done.
    ///
    /// - Parameters:
    ///   - waitsForPush: whether time stands still until a push has come, so that no connection is idle before.
    ///   - operation: what the sender does.
    func whileTimePasses<Result: Sendable>(
        waitsForPush: Bool = false, _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let ticking = Task { [clock, simulator] in
            if waitsForPush {
                for await event in simulator.eventStream() where event.device?.push != nil { break }
            }
            while !Task.isCancelled {
                if let next = clock.nextDeadline { clock.advance(to: next) }
                await Task.yield()
            }
        }
        defer { ticking.cancel() }
        return try await operation()
    }

    /// The events about pushes, in order.
    var deviceEvents: [DeviceEvent] { simulator.events().compactMap(\.device).filter { $0.push != nil } }
}
