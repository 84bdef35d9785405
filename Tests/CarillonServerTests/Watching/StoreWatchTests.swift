import CarillonCore
import Foundation
import Logging
import Testing

@testable import CarillonServer

@Suite("The watch of the store", .timeLimit(.minutes(5)))
struct StoreWatchTests {
    @Test("tells whoever subscribes while it reads of everything that is committed after that")
    func subscribedMeanwhile() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("d", user: "u"), at: noon)
        let start = try await store.news(since: nil, [], limit: 0).mark
        let clock = ManualClock(start: noon)
        let service = ServiceContext(
            configuration: ServiceConfiguration(apps: [], signInSecret: Data(count: 32)), store: store, clock: clock,
            random: .seeded(1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let slow = SlowReads(store.transactions.engine)
        let watch = StoreWatch(service: service, store: Store(slow).news, since: start)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.run() }
            for await _ in slow.began { break }
            var events = try #require(service.publisher.events.subscribe()).makeAsyncIterator()
            _ = try await store.accept(try message("m1", to: .users(["u"])), at: noon)
            slow.goOn.finish()
            for await _ in slow.ended { break }
            _ = try await store.accept(try message("m2", to: .users(["u"])), at: noon)
            group.addTask {
                while !Task.isCancelled {
                    clock.advance(by: service.configuration.pollInterval)
                    await Task.yield()
                }
            }
            #expect(await events.next()?.message.rawValue == "m1")
            #expect(await events.next()?.message.rawValue == "m2")
            group.cancelAll()
        }
    }
}

/// An engine whose first read waits until it may go on.
private struct SlowReads: CarillonServer.StoreEngine {
    private let engine: any CarillonServer.StoreEngine
    let began: AsyncStream<Void>
    let ended: AsyncStream<Void>
    let goOn: AsyncStream<Void>.Continuation
    private let begin: AsyncStream<Void>.Continuation
    private let end: AsyncStream<Void>.Continuation
    private let waits: AsyncStream<Void>

    init(_ engine: any CarillonServer.StoreEngine) {
        self.engine = engine
        (began, begin) = AsyncStream.makeStream()
        (ended, end) = AsyncStream.makeStream()
        (waits, goOn) = AsyncStream.makeStream()
    }

    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        begin.yield()
        for await _ in waits {}
        defer { end.yield() }
        return try await engine.onSnapshot(body)
    }

    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await engine.inTransaction(body) }

    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await engine.besideTransactions(body) }

    var meter: DatabaseMeter { engine.meter }
    var waitingWrites: Int { engine.waitingWrites }
    func begin(_ sender: String) throws -> (any Sendable)? { try engine.begin(sender) }
    func isGone(_ sender: String) -> Bool { engine.isGone(sender) }
    func forget(_ sender: String) { engine.forget(sender) }
    func removeTraces() async { await engine.removeTraces() }
    func wasWrittenElsewhere() async throws -> Bool? { try await engine.wasWrittenElsewhere() }
    func announce(_ announcement: StoreAnnouncement) { engine.announce(announcement) }
    func announcements() -> AsyncStream<StoreAnnouncement> { engine.announcements() }
}
