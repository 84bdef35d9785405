import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("A store answers as the reference in memory does")
struct StoreReferenceTests {
    /// Each seed plays by itself.
    private static let seeds = Seeds(
        fixed: 1...2, drawn: 4, filter: "StoreReferenceTests", variable: "CARILLON_STORE_SEEDS")
    /// Many callers at once take as long as many tests: one fixed and one drawn seed, unless others are asked for.
    private static let seedsAtOnce =
        seeds.areAskedFor ? seeds.all : Array(seeds.all.prefix(1) + seeds.all.suffix(1))
    /// The engines share the seeds, unless they are asked for: what one seed finds on both, or the one, another finds on the
    /// other.
    private static let plays = StoreEngine.allCases.enumerated().flatMap { index, engine in
        seeds.all.enumerated().filter { seeds.areAskedFor || $0.offset % 2 == index % 2 }
            .map { Run(engine: engine, seed: $0.element) }
    }

    struct Run: Sendable, CustomTestStringConvertible {
        let engine: StoreEngine
        let seed: UInt64

        var testDescription: String { "\(engine), seed \(seed)" }
    }

    @Test("under random calls, after each of them", arguments: plays)
    func randomCalls(_ play: Run) async throws {
        let (engine, seed) = (play.engine, play.seed)
        try await self.play(ComparedCalls(engine: try await engine.make(), seed: seed), seed)
    }

    @Test("where broadcasts are sent by ranges, in chunks of two places and more", arguments: plays)
    func randomCallsByRanges(_ play: Run) async throws {
        let store = try await play.engine.make(ranges: RangeRules(devices: 1, chunkDevices: 2, sampledDevices: 2))
        try await self.play(ComparedCalls(engine: store, seed: play.seed, rangeDevices: 1), play.seed)
    }

    @Test(
        "whatever eight processes ask at once, the order in which PostgreSQL lets them write explains it",
        arguments: seedsAtOnce)
    func concurrentCalls(_ seed: UInt64) async throws {
        try await playAtOnce(try await StoreEngine.emptySchema(), seed)
    }

    @Test(
        "also when their connections are cut, before a commit and between it and its answer",
        arguments: seedsAtOnce.suffix(1))
    func concurrentCallsThroughCuts(_ seed: UInt64) async throws {
        let proxy = try CuttingProxy(to: try await PostgreSQLForTests.shared.folder(), seed: seed)
        defer { proxy.stop() }
        try await playAtOnce(try await StoreEngine.emptySchema(through: proxy), seed) {
            proxy.cut(CuttingProxy.Rates(commitAnswers: 30, pieces: 1000))
        }
        #expect(proxy.cuts.commitAnswers > 0)
    }

    @Test(
        "and when they share fewer sessions behind a pooler that knows no prepared statements",
        .enabled(if: PoolerForTests.isInstalled, "make test-pooler installs PgBouncer"), arguments: seedsAtOnce)
    func concurrentCallsThroughPooler(_ seed: UInt64) async throws {
        let server = try await PostgreSQLForTests.shared.folder()
        let database = "pooled_\(UInt64.random(in: 0 ... .max))"
        let address = "postgres://carillon@/postgres?host=\(server.path)"
        try PostgreSQLHandle(url: address).run("CREATE DATABASE \(database)")
        let port = try await PoolerForTests.start(before: server, suffix: database)
        try await playAtOnce("postgres://carillon@127.0.0.1:\(port)/\(database)", seed)
    }

    private func playAtOnce(_ address: String, _ seed: UInt64, begin: () -> Void = {}) async throws {
        var stores: [Store] = []
        for _ in 0..<8 { stores.append(try await StoreEngine.postgreSQL(at: address, listens: false)) }
        defer { for store in stores { try? store.close() } }
        for app in [chime, ferry] { _ = try await stores[0].put(AppSettings(topic: app.topic), at: noon) }
        try await PlacedEngine.prepare(stores[0])
        begin()
        var calls = ConcurrentCalls(stores, seed: seed)
        for round in 1...10 {
            if let difference = try await calls.playRound() {
                Issue.record("round \(round): \(difference); \(Self.seeds.again(seed))")
                return
            }
        }
    }

    private func play(_ calls: ComparedCalls, _ seed: UInt64) async throws {
        var calls = calls
        for _ in 0..<150 {
            if let difference = try await calls.next() {
                Issue.record("\(difference); \(Self.seeds.again(seed))\nthe last calls:\n\(calls.lastCalls)")
                return
            }
        }
    }
}
