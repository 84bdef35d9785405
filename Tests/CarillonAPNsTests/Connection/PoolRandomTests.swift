import CarillonCore
import Testing

@testable import CarillonAPNs

/// Everything that can happen, in an order that nobody thought of. ``PoolHarness`` checks each step.
@Suite("The pool in random plays")
struct PoolRandomTests {
    @Test(
        "whatever happens in whatever order, every request ends exactly once and no rule of HTTP/2 or APNs is broken",
        arguments: 1...60)
    func anyOrder(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var limits = APNsLimits()
        limits.connections = Int.random(in: 1...4, using: &generator)
        limits.streamsPerConnection = [1, 3, 100].randomElement(using: &generator) ?? 1
        limits.suspendedSends = 50
        var play = PoolHarness(seed: UInt64(seed), limits: limits)
        var sent: [RequestID] = []
        for _ in 0..<600 { step(&play, &sent, &generator) }
        play.shutDown()
        play.pass(limits.shutdownGrace + .seconds(1))
        #expect(play.hasStopped, "replay with seed \(seed)")
        #expect(sent.allSatisfy { play.ends[$0] != nil }, "replay with seed \(seed)")
        #expect(play.openConnections.isEmpty, "replay with seed \(seed)")
        #expect(play.pool.requests.isEmpty && play.pool.queuedCount == 0, "replay with seed \(seed)")
        #expect(play.pool.nextDeadline == nil || play.pool.requests.isEmpty)
    }

    private func step(_ play: inout PoolHarness, _ sent: inout [RequestID], _ generator: inout SeededGenerator) {
        let connection = play.openConnections.randomElement(using: &generator)
        let isReady = connection.map { play.servers[$0]?.isReady == true } ?? false
        let stream = connection.flatMap { play.streams(on: $0).randomElement(using: &generator) }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<5: sent.append(play.send(within: .seconds(Int.random(in: 0...90, using: &generator))))
        case 5: if let id = sent.randomElement(using: &generator) { play.cancel(id) }
        case 6: play.pass(.milliseconds(Int.random(in: 1...40_000, using: &generator)))
        case 7: play.now.wall = play.now.wall + .seconds(Int.random(in: -9000...9000, using: &generator))
        case 8, 9: if let connection { play.settings(Int.random(in: 0...4, using: &generator), on: connection) }
        case 10: if let connection { play.lose(connection) }
        case 11:
            guard let connection, isReady else { return }
            play.goAway(last: Int.random(in: 0...9, using: &generator), on: connection)
        case 12: if let connection { play.pong(connection) }
        case 13: if let connection { play.writable(Bool.random(using: &generator), connection) }
        case 14: if Int.random(in: 0..<10, using: &generator) == 0 { play.replaceCredential() }
        default:
            if let connection, let stream { answer(&play, connection, stream, &generator) }
        }
    }

    private func answer(
        _ play: inout PoolHarness, _ connection: ConnectionID, _ stream: StreamID, _ generator: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: play.reset(stream, on: connection, refused: true)
        case 1: play.reset(stream, on: connection, refused: false)
        case 2: play.refuse(stream, on: connection, status: 403, .expiredProviderToken)
        case 3: play.refuse(stream, on: connection, status: 429, .tooManyProviderTokenUpdates)
        case 4: play.refuse(stream, on: connection, status: 410, .unregistered, timestamp: 5)
        default: play.accept(stream, on: connection)
        }
    }
}
