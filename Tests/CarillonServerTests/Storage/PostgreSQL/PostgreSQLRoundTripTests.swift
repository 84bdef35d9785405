import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("Calls wait for PostgreSQL few times, so that a database further away stays quick")
struct PostgreSQLRoundTripTests {
    /// Between the store and the server, where it counts requests that got an answer.
    private let proxy: CuttingProxy
    private let store: Store
    private var engine: any CarillonServer.StoreEngine { store.transactions.engine }

    init() async throws {
        proxy = try CuttingProxy(to: try await PostgreSQLForTests.shared.folder(), seed: 0)
        store = try await StoreEngine.postgreSQL(
            at: try await StoreEngine.emptySchema(through: proxy), listens: false)
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        for number in 0..<100 {
            _ = try await store.register(device("d\(number)", user: "u\(number)"), at: noon)
        }
        _ = try await store.register(device("second", user: "u1"), at: noon)
    }

    /// Returns how often a call waits for the server: the least of some calls, since a first one prepares statements.
    private func waits(_ call: (Int) async throws -> Void) async throws -> Int {
        var least = Int.max
        for number in 0..<4 {
            let before = proxy.roundTrips
            try await call(number)
            least = min(least, proxy.roundTrips - before)
        }
        return least
    }

    /// Checks the number of a call's waits, and prints it.
    private func expect(
        _ name: String, atMost limit: Int, at place: SourceLocation = #_sourceLocation,
        _ call: (Int) async throws -> Void
    ) async throws {
        let count = try await waits(call)
        #expect(count <= limit, "\(name)", sourceLocation: place)
        if ProcessInfo.processInfo.environment["CARILLON_ROUND_TRIPS"] != nil {
            print("round trips, \(name): \(count)")
        }
    }

    private func accept(_ id: String, to audience: Audience, key: String? = nil) async throws {
        guard case .accepted = try await store.accept(message(id, to: audience, key: key), at: noon) else {
            Issue.record("\(id) was not accepted")
            return
        }
    }

    @Test("accepting")
    func accepting() async throws {
        defer { proxy.stop() }
        try await expect("accept to one device", atMost: 3) { try await accept("a\($0)", to: .devices(["d0"])) }
        try await expect("accept to two devices", atMost: 3) { try await accept("b\($0)", to: .devices(["d1", "d2"])) }
        try await expect("accept to a user", atMost: 3) { try await accept("c\($0)", to: .users(["u1"])) }
        try await expect("accept with an idempotency key", atMost: 3) {
            try await accept("k\($0)", to: .users(["u1"]), key: "k\($0)")
        }
        // So many statements take several pieces on their way, which the proxy counts, though nobody waits for each.
        try await expect("accept to 100 users", atMost: 10) {
            try await accept("d\($0)", to: .users((0..<100).map { "u\($0)" }))
        }
    }

    /// Makes calls that share one transaction, and returns their results in their order.
    private func together<Value: Sendable>(
        _ calls: [@Sendable () async throws -> Value]
    ) async throws -> [Result<Value, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
        async let blocked: Void = store.write(at: noon) { _ in
            isEntered.finish()
            gate.wait()
            // It may be asked to do its work again.
            gate.signal()
        }
        for await _ in entered {}
        let results = await withTaskGroup(of: (Int, Result<Value, any Error>).self) { tasks in
            for (index, call) in calls.enumerated() {
                tasks.addTask {
                    do { return (index, .success(try await call())) } catch { return (index, .failure(error)) }
                }
                while engine.waitingWrites <= index { await Task.yield() }
            }
            gate.signal()
            return await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        try await blocked
        return calls.indices.compactMap { results[$0] }
    }

    private func accepting(_ message: NewMessage) -> @Sendable () async throws -> Acceptance {
        { [store] in try await store.accept(message, at: noon) }
    }

    @Test("sixteen callers that accept at the same time")
    func group() async throws {
        defer { proxy.stop() }
        // On a busy machine, the call that holds the others up has a transaction of its own, with two more waits.
        try await expect("sixteen accepts", atMost: 5) { round in
            let results = try await together(
                try (0..<16).map { try accepting(message("g\(round)-\($0)", to: .users(["u\($0)"]))) })
            for result in results {
                guard case .accepted = try result.get() else {
                    Issue.record("\(result)")
                    continue
                }
            }
        }
    }

    @Test("callers of one transaction that get in each other's way are answered as if they came one by one")
    func conflicts() async throws {
        defer { proxy.stop() }
        let answers = try await together([
            accepting(message("one", to: .users(["u1"]))),
            accepting(message("one", to: .users(["u1"]))),
            accepting(message("one", to: .users(["u1"]), text: "Other")),
            accepting(message("one", to: .users(["u2"]))),
            accepting(message("two", to: .users(["u1"]), key: "key")),
            accepting(message("two", to: .users(["u1"]), key: "key")),
            accepting(message("three", to: .devices(["d3", "d3", "nobody"]))),
        ]).map { try $0.get() }
        let one = SendAnswer(id: MessageID(test: "one"), state: .accepted, devices: 2)
        #expect(answers[0] == .accepted(one) && answers[1] == .repeated(one) && answers[2] == .accepted(one))
        #expect(answers[3] == .refused(.otherAudience))
        let two = SendAnswer(id: MessageID(test: "two"), state: .accepted, devices: 2)
        #expect(answers[4] == .accepted(two) && answers[5] == .repeated(two))
        #expect(answers[6] == .accepted(SendAnswer(id: MessageID(test: "three"), state: .accepted, devices: 1)))
        let report = try await store.report(MessageReference(MessageID(test: "one"), of: chime.number), at: noon)
        #expect(report?.counts.queued == 2)
    }

    @Test("a caller that fails after its statements were sent is undone alone")
    func failures() async throws {
        defer { proxy.stop() }
        let runs = try await together([
            accepting(message("a", to: .users(["u1"]), key: "key")),
            accepting(message("b", to: .users(["u1"]), key: "key")),
            accepting(message("c", to: .users(["u\0"]))),
            accepting(message("d", to: .users(["u1"]))),
        ])
        let answers = runs.map { try? $0.get() }
        #expect(answers[0] == .accepted(SendAnswer(id: MessageID(test: "a"), state: .accepted, devices: 2)))
        // Both insert a message before either has used up the key.
        #expect(answers[1] == .repeated(SendAnswer(id: MessageID(test: "a"), state: .accepted, devices: 2)))
        #expect(answers[2] == nil)
        #expect(answers[3] == .accepted(SendAnswer(id: MessageID(test: "d"), state: .accepted, devices: 2)))
        let messages = try await store.read { try $0.integer("SELECT count(*) FROM messages") }
        #expect(messages == 2)
    }

    private func claimed(_ limit: Int = 100, by sender: SenderNumber) async throws -> [ClaimedDelivery] {
        try await store.claim(ClaimRequest(sender: sender, limit: limit), at: noon).deliveries
    }

    @Test("claiming, and storing outcomes")
    func sending() async throws {
        defer { proxy.stop() }
        let sender = try await store.join("w").number
        try await expect("claim nothing", atMost: 5) { _ in _ = try await claimed(by: sender) }
        for round in 0..<12 { try await accept("s\(round)", to: .users((0..<10).map { "u\($0)" })) }
        var pushes: [[ClaimedDelivery]] = []
        try await expect("claim ten", atMost: 7) { _ in pushes.append(try await claimed(10, by: sender)) }
        #expect(pushes.map(\.count) == [10, 10, 10, 10])
        try await expect("outcome of one", atMost: 4) {
            _ = try await store.settle([pushes[$0][0].settled()], SendingRules(), at: noon)
        }
        try await expect("outcomes of nine", atMost: 4) {
            _ = try await store.settle(pushes[$0].dropFirst().map { $0.settled() }, SendingRules(), at: noon)
        }
        try await expect("receipt", atMost: 5) {
            let push = pushes[$0][1]
            let id = push.message?.id.rawValue ?? ""
            let outcome = try await store.record([receipt(.shown, id)], from: push.device, at: noon)
            #expect(outcome.recorded.count == 1)
        }
        try await expect("recall", atMost: 14) {
            _ = try await store.recall(MessageReference(MessageID("s\($0)"), of: chime.number), at: noon)
        }
        try await expect("inbox", atMost: 3) { _ in
            _ = try await store.inbox(user: UserReference("u1", of: chime.number), before: nil, limit: 20, at: noon)
        }
    }

    @Test("registering, and reading")
    func devices() async throws {
        defer { proxy.stop() }
        try await expect("registration of a new device", atMost: 5) {
            _ = try await store.register(device("n\($0)", user: "n\($0)"), at: noon)
        }
        try await expect("registration of a known device", atMost: 5) { _ in
            _ = try await store.register(device("d1", user: "u1"), at: noon)
        }
        try await expect("sync", atMost: 6) { _ in _ = try await store.sync("d1", limit: 10, at: noon) }
        try await accept("report", to: .users(["u1"]))
        try await expect("report", atMost: 8) { _ in
            _ = try await store.report(MessageReference(MessageID("report"), of: chime.number), at: noon)
        }
        try await expect("mark read", atMost: 17) {
            try await accept("r\($0)", to: .users(["u1"]))
            _ = try await store.markRead(
                .messages([MessageID("r\($0)")]), user: UserReference("u1", of: chime.number), on: "d1", at: noon)
        }
    }
}
