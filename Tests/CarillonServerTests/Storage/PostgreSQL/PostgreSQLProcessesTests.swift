import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// Eight processes, as far as the database can tell: each has connections of its own.
@Suite("Several processes at one PostgreSQL", .serialized)
struct PostgreSQLProcessesTests {
    private func processes(ranges: RangeRules = RangeRules()) async throws -> [Store] {
        let address = try await StoreEngine.emptySchema()
        var stores: [Store] = []
        for _ in 0..<8 { stores.append(try await StoreEngine.postgreSQL(at: address, ranges: ranges)) }
        for app in [chime, ferry] { _ = try await stores[0].put(AppSettings(topic: app.topic), at: noon) }
        _ = try await stores[0].sender("enrol")
        return stores
    }

    @Test("each push goes to one of them, and every one goes out, whatever they do at once", arguments: [10_000, 1])
    func claims(_ rangeDevices: Int) async throws {
        let stores = try await processes(ranges: RangeRules(devices: rangeDevices, chunkDevices: 4))
        try await stores[0].enrol((0..<12).map { device("d\($0)", user: "u\($0 % 6)") }, at: noon)
        let pushes = SharedValue<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for number in 0..<10 {
                        let id = "m\(index)-\(number)"
                        let audience: Audience = number % 5 == 4 ? .everyone : .users(["u\((index + number) % 6)"])
                        _ = try await store.accept(try message(id, to: audience, counts: number % 2 == 0), at: noon)
                        try await Self.deliver(store, "w\(index)", pushes, limit: 3)
                    }
                    while try await Self.deliver(store, "w\(index)", pushes, limit: 50) > 0 {}
                }
            }
            try await group.waitForAll()
        }
        let all = pushes.withLock { $0 }
        #expect(Set(all).count == all.count, "none twice")
        // 64 to the two devices of a user, 16 to all twelve: 128 and 192.
        let shown = all.filter { $0.hasPrefix("show") }
        #expect(shown.count == 320)
        #expect(try await stores[0].waiting(in: chime.number, atMost: 10) == 0)
    }

    @discardableResult
    private static func deliver(
        _ store: Store, _ worker: String, _ pushes: SharedValue<[String]>, limit: Int
    ) async throws -> Int {
        let claim = try await store.claim(everything(worker: worker, limit: limit), at: noon)
        pushes.withLock {
            $0 += claim.deliveries.map { "\($0.purpose) \($0.message?.id.rawValue ?? "") \($0.device) \($0.attempt)" }
        }
        try await store.settle(claim.deliveries.map { $0.settled() }, at: noon)
        return claim.examined
    }

    @Test("the same request to all of them is one message")
    func repetition() async throws {
        let stores = try await processes()
        try await stores[0].enrol(device("a", user: "u"), at: noon)
        let ids = try await withThrowingTaskGroup(of: (String, Bool).self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    let new = try message("m\(index)", to: .users(["u"]), key: "once")
                    switch try await store.accept(new, at: noon) {
                    case .accepted(let answer): return (answer.id.rawValue, true)
                    case .repeated(let answer): return (answer.id.rawValue, false)
                    case .refused: return ("refused", false)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let (names, new) = (Set(ids.map(\.0)), ids.filter(\.1))
        #expect(names.count == 1)
        #expect(new.count == 1)
        #expect(try await stores[3].claim(everything(), at: noon).deliveries.count == 1)
    }

    @Test("places among an app's devices are given once, without a gap, and counts of unread messages are right")
    func counters() async throws {
        let stores = try await processes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for number in 0..<5 {
                        try await store.enrol(device("d\(index)-\(number)", user: "u\(number)"), at: noon)
                        _ = try await store.accept(
                            try message("m\(index)-\(number)", to: .users(["u\(number)"])), at: noon)
                    }
                    _ = try await store.markRead(
                        .messages([MessageID(test: "m\(index)-0")]), user: "u0", on: nil, at: noon)
                }
            }
            try await group.waitForAll()
        }
        let ordinals = try await stores[0].read { transaction in
            try transaction.rows("SELECT ordinal FROM devices ORDER BY ordinal").map { $0["ordinal"] as Int64? ?? -1 }
        }
        #expect(ordinals == Array(1...40))
        let unread = try await stores[0].read { transaction in
            try transaction.rows("SELECT user, count FROM unread ORDER BY user").map {
                try "\($0["user"] as String) \($0["count"] as Int)"
            }
        }
        #expect(unread == ["u1 8", "u2 8", "u3 8", "u4 8"])
    }
}
