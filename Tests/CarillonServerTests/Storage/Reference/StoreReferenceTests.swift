import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store answers as the reference in memory does")
struct StoreReferenceTests {
    /// Each seed plays by itself; `CARILLON_STORE_SEEDS=first-last` plays others.
    static let seeds: [UInt64] = {
        let bounds = (ProcessInfo.processInfo.environment["CARILLON_STORE_SEEDS"] ?? "1-6")
            .split(separator: "-").compactMap { UInt64($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return [] }
        return Array(first...last)
    }()

    @Test("under random calls, after each of them", arguments: StoreEngine.allCases, seeds)
    func randomCalls(_ engine: StoreEngine, _ seed: UInt64) async throws {
        try await play(ComparedCalls(engine: try await engine.make(), seed: seed), seed)
    }

    @Test("where broadcasts are sent by ranges, in chunks of two devices", arguments: StoreEngine.allCases, seeds)
    func randomCallsByRanges(_ engine: StoreEngine, _ seed: UInt64) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 2))
        try await play(ComparedCalls(engine: store, seed: seed, rangeDevices: 1), seed)
    }

    private func play(_ calls: ComparedCalls, _ seed: UInt64) async throws {
        var calls = calls
        for _ in 0..<150 {
            if let difference = try await calls.next() {
                Issue.record("seed \(seed): \(difference)\nthe last calls:\n\(calls.lastCalls)")
                return
            }
        }
    }
}
