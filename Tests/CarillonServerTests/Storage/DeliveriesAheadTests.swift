import CarillonCore
import GRDB
import Testing

@testable import CarillonServer

@Suite("Pushes are read many at a time")
struct DeliveriesAheadTests {
    @Test("a claim and its outcomes ask as much for thirty single messages as for three")
    func statements() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol((0..<30).map { device("d\($0)", user: "u\($0)") }, at: noon)
        let asked = SharedValue(0)
        try await store.write(at: noon) { transaction in
            let db = try #require(transaction.connection as? SQLiteSession).db
            db.trace(options: .statement) { event in
                // Each transaction asks once for the version of the tables, and the first claim has one more to join.
                let sql = "\(event)"
                if sql.hasPrefix("SELECT"), sql != Schema.versionQuery { asked.withLock { $0 += 1 } }
            }
        }
        var counts: [[Int]] = []
        for (round, devices) in [3, 30].enumerated() {
            for number in 0..<devices {
                _ = try await store.accept(try message("m\(round)-\(number)", to: .users(["u\(number)"])), at: noon)
            }
            asked.withLock { $0 = 0 }
            let claimed = try await store.claim(everything(worker: "a"), at: noon).deliveries
            #expect(claimed.count == devices)
            let claiming = asked.withLock { $0 }
            try await store.settle(claimed.map { $0.settled() }, at: noon)
            counts.append([claiming, asked.withLock { $0 } - claiming])
        }
        #expect(counts[0] == counts[1] && counts[0].allSatisfy { $0 > 0 })
    }

    /// Reports two messages' outcomes in one call or in two, and returns the facts about the device and both messages.
    private func told(_ outcomes: [SendOutcome], together: Bool, _ engine: StoreEngine) async throws -> [String] {
        let store = try await engine.make()
        // Not confirmed: it is deleted when APNs does not know its token.
        _ = try await store.register(device("phone", user: "u1"), at: noon)
        for id in ["m1", "m2"] { _ = try await store.accept(try message(id, to: .users(["u1"])), at: noon) }
        let claimed = try await store.claim(everything(worker: "a"), at: noon).deliveries.filter { $0.message != nil }
        let settlements = zip(claimed, outcomes).map { $0.settled($1) }
        for part in together ? [settlements] : settlements.map({ [$0] }) { try await store.settle(part, at: noon) }
        let left = try await store.claim(everything(worker: "a"), at: noon + .seconds(3600)).deliveries
        return try await [
            "\(store.kinds("m1", on: "phone"))", "\(store.kinds("m2", on: "phone"))",
            "\(store.device("phone").map { "\($0.state) \($0.confirmed != nil)" } ?? "deleted")",
            "\(left.map { "\($0.purpose) \($0.message?.id.rawValue ?? "") \($0.attempt)" }.sorted())",
        ]
    }

    @Test(
        "what is told of one device's pushes in one call comes to the same as in several",
        arguments: StoreEngine.allCases)
    func changed(_ engine: StoreEngine) async throws {
        let outcomes: [SendOutcome] = [
            .accepted(apnsID: PushIdentifier.uuid(name: "a", namespace: [])), rejected("BadDeviceToken", 400),
            rejected("Unregistered", 410, since: noon),
            .unanswered("no answer"),
        ]
        for first in outcomes {
            for second in outcomes {
                let apart = try await told([first, second], together: false, engine)
                #expect(try await told([first, second], together: true, engine) == apart, "\(first), \(second)")
            }
        }
    }

    @Test("what was read of a delivery is good once, and of a device until something is done with it")
    func once() throws {
        func row(_ number: Int64, _ message: Int64?, _ device: String) -> SQLRow {
            SQLRow(
                columns: ["number", "message", "device"],
                values: [.integer(number), message.map { .integer($0) } ?? .null, .text(device)])
        }
        let pushes = [
            row(1, 1, "a"), row(2, 1, "a"), row(3, 1, "b"), row(4, 2, "a"), row(5, nil, "a"), row(6, nil, "a"),
        ]
        var ahead = DeliveriesAhead(pushes: pushes, deliveries: [row(0, 1, "a"), row(0, 2, "a")])
        #expect(ahead.messages == [1, 2])
        ahead.leave("b")
        var anew: [Int64] = []
        for number in Int64(1)...7 {
            let reading = try ahead.take(number) { numbers in
                anew += numbers
                return DeliveriesAhead(pushes: try pushes.filter { try numbers.contains($0["number"]) }, deliveries: [])
            }
            #expect((reading?.push["number"] as Int64?) == (number < 7 ? number : nil))
            #expect((reading?.delivery != nil) == [1, 4].contains(number))
        }
        #expect(anew == [2, 3, 7])
    }
}
