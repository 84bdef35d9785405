import CarillonCore
import TestSupport
import Testing

@testable import CarillonAPNs

/// Everything that can happen, in an order that nobody thought of. ``PoolHarness`` checks each step.
@Suite("The pool in random runs")
struct PoolRandomTests {
    private static let seeds = Seeds(fixed: 1...20, drawn: 40, filter: "PoolRandomTests")

    @Test(
        "whatever happens in whatever order, every request ends exactly once and no rule of HTTP/2 or APNs is broken",
        arguments: seeds.all)
    func anyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var limits = APNsLimits()
        limits.connections = Int.random(in: 1...4, using: &generator)
        limits.streamsPerConnection = [1, 3, 100].randomElement(using: &generator) ?? 1
        limits.suspendedSends = 50
        var harness = PoolHarness(seed: seed, limits: limits)
        var sent: [RequestID] = []
        for _ in 0..<600 { step(&harness, &sent, &generator) }
        let again = Self.seeds.again(seed)
        harness.shutDown()
        harness.pass(limits.shutdownGrace + .seconds(1))
        #expect(harness.hasStopped, "\(again)")
        #expect(sent.allSatisfy { harness.ends[$0] != nil }, "\(again)")
        #expect(harness.openConnections.isEmpty, "\(again)")
        #expect(harness.pool.requests.isEmpty && harness.pool.requests.queuedCount == 0, "\(again)")
        #expect(harness.pool.nextDeadline == nil || harness.pool.requests.isEmpty, "\(again)")
    }

    private func step(_ harness: inout PoolHarness, _ sent: inout [RequestID], _ generator: inout SeededGenerator) {
        let connection = harness.openConnections.randomElement(using: &generator)
        let stream = connection.flatMap { harness.streams(on: $0).randomElement(using: &generator) }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<5: sent.append(harness.send(within: .seconds(Int.random(in: 0...90, using: &generator))))
        case 5: if let id = sent.randomElement(using: &generator) { harness.cancel(id) }
        case 6:
            let time = Duration.milliseconds(Int.random(in: 1...40_000, using: &generator))
            if Int.random(in: 0..<4, using: &generator) == 0 { harness.freeze(time) } else { harness.pass(time) }
        case 7: harness.now.wall = harness.now.wall + .seconds(Int.random(in: -9000...9000, using: &generator))
        case 8, 9: if let connection { harness.settings(Int.random(in: 0...4, using: &generator), on: connection) }
        case 10: if let connection { harness.lose(connection) }
        case 11:
            // Also first thing, before SETTINGS.
            guard let connection else { return }
            harness.goAway(last: Int.random(in: 0...9, using: &generator), on: connection)
        case 12: if let connection { harness.pong(connection) }
        case 13: if let connection { harness.writable(Bool.random(using: &generator), connection) }
        case 14: if Int.random(in: 0..<10, using: &generator) == 0 { harness.replaceCredential() }
        default:
            if let connection, let stream { answer(&harness, connection, stream, &generator) }
        }
    }

    private func answer(
        _ harness: inout PoolHarness, _ connection: ConnectionID, _ stream: StreamID, _ generator: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: harness.reset(stream, on: connection, refused: true)
        case 1: harness.reset(stream, on: connection, refused: false)
        case 2: harness.refuse(stream, on: connection, status: 403, .expiredProviderToken)
        case 3: harness.refuse(stream, on: connection, status: 429, .tooManyProviderTokenUpdates)
        case 4: harness.refuse(stream, on: connection, status: 410, .unregistered, timestamp: 5)
        default: harness.accept(stream, on: connection)
        }
    }
}
