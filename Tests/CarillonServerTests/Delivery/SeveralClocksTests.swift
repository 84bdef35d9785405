import CarillonCore
import Foundation
import Logging
import Testing

@testable import CarillonServer

/// Processes on machines whose clocks differ, or are set: on one database, and one APNs.
@Suite("Clocks that differ by hours, or are set", .serialized)
struct SeveralClocksTests {
    /// A process with a clock of its own.
    private struct Machine {
        let service: ServiceContext
        let clock: ManualClock
        let worker: DeliveryWorker

        init(at start: Timestamp, on store: Store, _ sender: RecordingSender, seed: UInt64 = 1) {
            clock = ManualClock(start: start)
            service = ServiceContext(
                configuration: ServiceConfiguration(apps: [], signInSecret: Data(count: 32)), store: store,
                clock: clock, random: .seeded(seed), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            worker = DeliveryWorker(service: service, store: service.publishing(store).sending, sender: sender)
        }
    }

    private static let apart: [Duration] = [.seconds(-5 * 3600), .seconds(-3600), .seconds(3600), .seconds(5 * 3600)]
    private let sender = RecordingSender()

    /// The number of times that each push went out.
    private var counts: [String: Int] {
        sender.pushes.reduce(into: [:]) { $0["\($1.collapseID) \($1.token.hex)", default: 0] += 1 }
    }

    @Test(
        "two that accept and send at once send each push once, and lose none",
        arguments: StoreEngine.allCases, apart)
    func together(_ engine: StoreEngine, _ apart: Duration) async throws {
        let store = try await engine.make()
        try await store.enrol((0..<3).map { device("d\($0)", user: "u1") }, at: noon)
        let one = Machine(at: noon, on: store, sender)
        let other = Machine(at: noon + apart, on: store, sender, seed: 2)
        for number in 0..<10 {
            let clock = number.isMultiple(of: 2) ? one.clock : other.clock
            _ = try await store.accept(try message("m\(number)", to: .users(["u1"])), at: clock.now)
        }
        await withTaskGroup(of: Void.self) { group in
            for machine in [one, other] { group.addTask { await machine.worker.sendAll() } }
        }
        #expect(counts.count == 30 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        #expect(sender.pushes.allSatisfy { $0.carillon?.attempt ?? 1 == 1 })
        for machine in [one, other] { machine.clock.advance(by: .seconds(3 * 3600)) }
        for machine in [one, other] { await machine.worker.sendAll() }
        #expect(counts.count == 30 && counts.values.allSatisfy { $0 == 1 }, "none follows")
    }

    @Test(
        "what waits is sent at once by one whose clock is hours behind, or was set back; within two hours, when it has come so far",
        arguments: StoreEngine.allCases)
    func behind(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u1"), at: noon)
        let machine = Machine(at: noon + .seconds(5 * 3600), on: store, sender)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: machine.clock.now)
        machine.clock.set(to: noon)
        await machine.worker.sendAll()
        #expect(sender.pushes.map(\.collapseID) == ["m1"])
        machine.clock.set(to: noon + .seconds(3600))
        _ = try await store.accept(try message("m2", to: .users(["u1"])), at: machine.clock.now)
        machine.clock.set(to: noon)
        await machine.worker.sendAll()
        #expect(sender.pushes.map(\.collapseID) == ["m1"])
        machine.clock.advance(by: .seconds(3600))
        await machine.worker.sendAll()
        #expect(sender.pushes.map(\.collapseID) == ["m1", "m2"])
    }

    @Test(
        "what is scheduled goes at its moment on the clock of the one that sends, once",
        arguments: StoreEngine.allCases)
    func scheduled(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u1"), at: noon)
        let (one, ahead) = (
            Machine(at: noon, on: store, sender),
            Machine(at: noon + .seconds(5 * 3600 - 1), on: store, sender, seed: 2)
        )
        var scheduled = try message("m1", to: .users(["u1"]))
        scheduled.sendAt = noon + .seconds(5 * 3600)
        _ = try await store.accept(scheduled, at: one.clock.now)
        for machine in [one, ahead] { await machine.worker.sendAll() }
        #expect(sender.pushes.isEmpty)
        ahead.clock.advance(by: .seconds(1))
        for machine in [one, ahead] { await machine.worker.sendAll() }
        #expect(sender.pushes.count == 1)
        ahead.clock.set(to: noon)
        one.clock.advance(by: .seconds(6 * 3600))
        for machine in [one, ahead] { await machine.worker.sendAll() }
        #expect(sender.pushes.count == 1)
    }

    @Test(
        "a sender that stands still is taken over after a whole lease, not earlier, wherever the other's clock is set to",
        arguments: StoreEngine.allCases)
    func leases(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let database = store
        try await store.enrol(device("d", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        #expect(try await store.claim(everything(worker: "still"), at: noon).deliveries.count == 1)
        let machine = Machine(at: noon + .seconds(5 * 3600), on: store, sender)
        let work = Task { try await machine.worker.run() }
        func look(_ number: Int) async throws {
            while try await database.read({ try $0.integer("SELECT max(beat) FROM senders") }) < number {
                await Task.yield()
            }
        }
        try await look(1)
        // Five beats are a lease.
        for (number, hours) in [-1, 7, -48, 0].enumerated() {
            machine.clock.set(to: noon + .seconds(hours * 3600))
            machine.clock.advance(by: .seconds(12))
            machine.service.signal.wake()
            try await look(number + 2)
            #expect(sender.pushes.isEmpty, "\(machine.clock.uptime)")
        }
        machine.clock.set(to: noon + .seconds(48 * 3600))
        // Looks may end when the clock has gone on: then more of them are needed.
        for _ in 0..<30 where sender.pushes.isEmpty {
            machine.clock.advance(by: .seconds(12))
            machine.service.signal.wake()
            for _ in 0..<1000 where sender.pushes.isEmpty { await Task.yield() }
        }
        var pushes = sender.stream.makeAsyncIterator()
        #expect(await pushes.next()?.carillon?.attempt == 2)
        work.cancel()
        try await work.value
    }

    @Test("an end that was carried out is neither undone nor repeated", arguments: StoreEngine.allCases)
    func ends(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u1"), at: noon)
        let hour = Duration.seconds(3600)
        let (one, ahead) = (
            Machine(at: noon, on: store, sender), Machine(at: noon + hour * 5, on: store, sender, seed: 2)
        )
        for (id, until) in [("m1", noon + hour * 6), ("over", noon + hour * 4)] {
            var ending = try message(id, to: .users(["u1"]), until: until)
            ending.removesExpired = true
            _ = try await store.accept(ending, at: one.clock.now)
        }
        await ahead.worker.sendAll()
        #expect(sender.pushes.map(\.collapseID) == ["m1"], "the other has expired where it would be sent")
        ahead.clock.advance(by: hour)
        await ahead.worker.sendAll()
        #expect(sender.pushes.count == 2, "its removal")
        ahead.clock.set(to: noon + hour * 5)
        for machine in [ahead, one] { await machine.worker.sendAll() }
        one.clock.advance(by: hour * 7)
        for machine in [ahead, one] { await machine.worker.sendAll() }
        #expect(sender.pushes.count == 2)
        #expect(try await store.kinds("over", on: "d", at: one.clock.now) == [.queued, .expired])
    }

    @Test(
        "housekeeping deletes what is old by its own clock, and nothing that waits, wherever that clock is set to",
        arguments: StoreEngine.allCases)
    func housekeeping(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u1"), at: noon)
        _ = try await store.accept(try message("done", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        _ = try await store.accept(try message("waits", to: .users(["u1"])), at: noon)
        let ahead = Machine(at: noon + ServiceLimits.retention, on: store, sender)
        func purge() async throws { try await self.purge(store, on: ahead) }
        func isKept(_ id: String) async throws -> Bool {
            try await store.report(MessageID(test: id), at: noon) != nil
        }
        try await purge()
        #expect(try await isKept("done"), "not older than what is kept")
        ahead.clock.set(to: noon - .seconds(3600))
        try await purge()
        #expect(try await isKept("done"))
        ahead.clock.set(to: noon + ServiceLimits.retention + .seconds(5 * 3600))
        try await purge()
        #expect(try await !isKept("done"))
        #expect(try await isKept("waits"))
    }

    @Test("an erasure that cannot be finished does not stop housekeeping")
    func brokenErasure() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("d", user: "u1"), at: noon)
        _ = try await store.accept(try message("done", to: .users(["u1"])), at: noon)
        try await store.deliverAll()
        try await store.write(at: noon) { transaction in
            _ = try WorkTable(transaction).noteErasure(of: UserReference("u1", of: chime.number))
            try transaction.execute(
                "CREATE TRIGGER broken BEFORE UPDATE ON devices BEGIN SELECT RAISE(ABORT, 'broken'); END")
        }
        let later = Machine(at: noon + ServiceLimits.retention + .seconds(5 * 3600), on: store, sender)
        try await purge(store, on: later)
        #expect(try await store.report(MessageID(test: "done"), at: noon) == nil)
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM work") } == 1)
    }

    /// Lets a machine's housekeeping run once.
    private func purge(_ store: Store, on machine: Machine) async throws {
        machine.clock.advance(by: .zero)
        let purger = RetentionPurger(service: machine.service, store: store.upkeep)
        let purging = Task { try await purger.run() }
        // Each job sleeps when it is done.
        while machine.clock.scheduledCount < purger.jobs.count { await Task.yield() }
        purging.cancel()
        try await purging.value
        while machine.clock.nextDeadline != nil { await Task.yield() }
    }
}
