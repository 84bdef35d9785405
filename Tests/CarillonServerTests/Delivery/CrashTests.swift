import CarillonCore
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonServer

/// The service's process may die between any two of its steps.
@Suite("A crash at any moment")
struct CrashTests {
    private struct System {
        let store: Store
        let sender = RecordingSender()
        let clock = ManualClock(start: noon)

        func worker(on store: Store, seed: UInt64) -> DeliveryWorker {
            let service = ServiceContext(
                configuration: ServiceConfiguration(apps: [], signInSecret: Data(count: 32)), store: store,
                clock: clock, random: .seeded(seed), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return DeliveryWorker(service: service, store: service.publishing(store).sending, sender: sender)
        }

        /// Plays one process: it takes over a dead one's leases, accepts messages, and sends until nothing is due.
        func runProcess(_ number: UInt64, on store: Store, accepting messages: [NewMessage]) async throws {
            for message in messages { _ = try await store.accept(message, at: clock.now) }
            await worker(on: store, seed: number).sendAll()
        }
    }

    /// One process that dies at the given call, and one that lives; the backend repeats what was not acknowledged.
    /// - Returns: whether the first one died at all.
    private func run(
        messages: Int, devices: Int, crashAt call: Int, _ moment: CrashingEngine.Moment
    ) async throws -> Bool {
        let system = System(store: try await StoreEngine.sqlite.make())
        try await system.store.enrol((0..<devices).map { device("d\($0)", user: "u1") }, at: noon)
        let sent = try (0..<messages).map { try message("m\($0)", to: .users(["u1"]), key: "k\($0)") }
        let crashing = CrashingEngine(system.store.transactions.engine, at: call, moment)
        do {
            try await system.runProcess(
                1, on: Store(crashing, ranges: system.store.transactions.ranges), accepting: sent)
        } catch is CrashingEngine.Crash {}
        try await system.runProcess(2, on: system.store, accepting: sent)

        let groups = Dictionary(grouping: system.sender.pushes) { "\($0.collapseID) \($0.token.hex)" }
        #expect(groups.count == messages * devices, "call \(call), \(moment): a message was lost")
        for (name, pushes) in groups {
            #expect(Set(pushes.map(\.apnsID)).count == 1, "call \(call), \(moment): \(name) has two apns-ids")
            #expect(pushes.count <= 2, "call \(call), \(moment): \(name) was sent \(pushes.count) times")
            #expect(pushes.last.map { $0.carillon?.attempt } == pushes.count || pushes.count == 1)
        }
        for index in 0..<messages {
            let report = try await system.store.report(MessageID(test: "m\(index)"), at: noon)
            #expect(report?.counts.accepted == devices, "call \(call), \(moment)")
        }
        return crashing.hasCrashed
    }

    @Test("loses no message and sends none with a second identity: every call, before and after it takes effect")
    func everyCall() async throws {
        for moment in [CrashingEngine.Moment.before, .after] {
            var call = 1
            while try await run(messages: 2, devices: 2, crashAt: call, moment) { call += 1 }
            #expect(call > 4)
        }
    }

    /// Plays a broadcast that is sent by ranges, and counts the devices and the pushes that went out twice.
    private func runBroadcast(crashAt call: Int, _ moment: CrashingEngine.Moment) async throws -> Bool {
        let devices = 11
        let system = System(store: try await StoreEngine.sqlite.make(ranges: RangeRules(devices: 3, chunkDevices: 4)))
        try await system.store.enrol((0..<devices).map { device("d\($0)") }, at: noon)
        let sent = [try message("m", to: .everyone, counts: false, key: "k")]
        let crashing = CrashingEngine(system.store.transactions.engine, at: call, moment)
        do {
            try await system.runProcess(
                1, on: Store(crashing, ranges: system.store.transactions.ranges), accepting: sent)
        } catch is CrashingEngine.Crash {}
        try await system.runProcess(2, on: system.store, accepting: sent)

        let census = Dictionary(grouping: system.sender.pushes, by: \.token)
        #expect(census.count == devices, "call \(call), \(moment): a device was missed")
        let counts = try await system.store.report(MessageID(test: "m"), at: noon)?.counts
        #expect(counts?.devices == devices && counts?.accepted == devices, "call \(call), \(moment)")
        let again = census.values.filter { $0.last?.carillon?.attempt == 2 }
        #expect(again.count == counts?.secondSends, "call \(call), \(moment)")
        for pushes in census.values {
            #expect(Set(pushes.map(\.apnsID)).count == 1, "call \(call), \(moment)")
            // What went out twice said so the second time.
            #expect(pushes.count == 1 || (pushes.count == 2 && pushes.last?.carillon?.attempt == 2))
        }
        return crashing.hasCrashed
    }

    @Test("a broadcast by ranges reaches each device, and tells what may have gone out twice: at every call")
    func everyCallOfABroadcast() async throws {
        for moment in [CrashingEngine.Moment.before, .after] {
            var call = 1
            while try await runBroadcast(crashAt: call, moment) { call += 1 }
            #expect(call > 4)
        }
    }

    private static let seeds = Seeds(fixed: 0...2, drawn: 5, filter: "CrashTests/anywhere")

    @Test("loses nothing among many messages either", arguments: seeds.all)
    func anywhere(_ seed: UInt64) async throws {
        let chance = SharedGenerator(seed: seed)
        let (messages, devices) = (1 + chance.below(6), 1 + chance.below(40))
        let call = 1 + chance.below(messages + 8)
        let moment: CrashingEngine.Moment = chance.below(2) == 0 ? .before : .after
        // A failure names the seed, which is the argument.
        _ = try await run(messages: messages, devices: devices, crashAt: call, moment)
    }
}
