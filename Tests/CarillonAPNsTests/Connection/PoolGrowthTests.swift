import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("How the pool grows, shrinks and protects itself")
struct PoolGrowthTests {
    @Test("10: answers that take long on a busy connection open another one, though nothing queues; quick ones do not")
    func growsWithLatency() {
        for (latency, connections) in [(Duration.milliseconds(100), 1), (.milliseconds(800), 2)] {
            var harness = PoolHarness()
            harness.send()
            harness.settings(1000, on: 1)
            harness.acceptAll(on: 1)
            harness.send(count: 200)
            for _ in 0..<10 {
                harness.pass(latency)
                for stream in harness.streams(on: 1).prefix(50) { harness.accept(stream, on: 1) }
                harness.send(count: 50)
            }
            #expect(harness.openConnections.count == connections, "answers after \(latency)")
        }
    }

    @Test("10: a late answer on a connection with little to do is no reason for another one")
    func staysWithFewStreams() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(1000, on: 1)
        harness.acceptAll(on: 1)
        for _ in 0..<10 {
            harness.send(count: 5)
            harness.pass(.seconds(2))
            harness.acceptAll(on: 1)
        }
        #expect(harness.openConnections == [1])
    }

    @Test("10: connections grow while sends queue, up to the limit, and shrink to one when there is nothing to do")
    func growsAndShrinks() {
        var limits = APNsLimits()
        limits.streamsPerConnection = 2
        limits.connections = 3
        var harness = PoolHarness(limits: limits)
        for _ in 0..<200 { harness.send(within: .seconds(86_400)) }
        for _ in 0..<20 {
            for connection in harness.openConnections {
                harness.settings(nil, on: connection)
                if let stream = harness.streams(on: connection).first { harness.accept(stream, on: connection) }
            }
            harness.pass(.seconds(1))
        }
        #expect(harness.openConnections.count == 3)
        while harness.ends.count < 200 {
            for connection in harness.openConnections { harness.acceptAll(on: connection) }
        }
        harness.pass(limits.idleBeforeClose + .seconds(1))
        #expect(harness.openConnections.count == 1)
    }

    @Test("an answer longer than APNs would ever send is cut off: the status counts, and the stream is reset")
    func endlessAnswer() {
        var harness = PoolHarness()
        let id = harness.send()
        harness.settings(10, on: 1)
        harness.receive(APNsAnswerHead(status: 400), isLast: false, 1, on: 1)
        harness.receive(ByteBuffer(repeating: 0x78, count: 4096), isLast: false, 1, on: 1)
        #expect(harness.ends[id] == nil)
        harness.receive(ByteBuffer(repeating: 0x78, count: 1), isLast: false, 1, on: 1)
        #expect(harness.ends[id] == .answer(400, APNsReason(rawValue: "HTTP 400")))
        #expect(harness.resets == [1])
        harness.receive(ByteBuffer(repeating: 0x78, count: 16_384), isLast: true, 1, on: 1)
        #expect(harness.resets == [1])
    }
}
