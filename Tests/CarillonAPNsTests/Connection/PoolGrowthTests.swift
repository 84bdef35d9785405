import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("How the pool grows, shrinks and protects itself")
struct PoolGrowthTests {
    @Test("10: answers that take long on a busy connection open another one, though nothing queues; quick ones do not")
    func growsWithLatency() {
        for (latency, connections) in [(Duration.milliseconds(100), 1), (.milliseconds(800), 2)] {
            var play = PoolHarness()
            play.send()
            play.settings(1000, on: 1)
            play.acceptAll(on: 1)
            play.send(count: 200)
            for _ in 0..<10 {
                play.pass(latency)
                for stream in play.streams(on: 1).prefix(50) { play.accept(stream, on: 1) }
                play.send(count: 50)
            }
            #expect(play.openConnections.count == connections, "answers after \(latency)")
        }
    }

    @Test("10: a late answer on a connection with little to do is no reason for another one")
    func staysWithFewStreams() {
        var play = PoolHarness()
        play.send()
        play.settings(1000, on: 1)
        play.acceptAll(on: 1)
        for _ in 0..<10 {
            play.send(count: 5)
            play.pass(.seconds(2))
            play.acceptAll(on: 1)
        }
        #expect(play.openConnections == [1])
    }

    @Test("10: connections grow while sends queue, up to the limit, and shrink to one when there is nothing to do")
    func growsAndShrinks() {
        var limits = APNsLimits()
        limits.streamsPerConnection = 2
        limits.connections = 3
        var play = PoolHarness(limits: limits)
        for _ in 0..<200 { play.send(within: .seconds(86_400)) }
        for _ in 0..<20 {
            for connection in play.openConnections {
                play.settings(nil, on: connection)
                if let stream = play.streams(on: connection).first { play.accept(stream, on: connection) }
            }
            play.pass(.seconds(1))
        }
        #expect(play.openConnections.count == 3)
        while play.ends.count < 200 {
            for connection in play.openConnections { play.acceptAll(on: connection) }
        }
        play.pass(limits.idleBeforeClose + .seconds(1))
        #expect(play.openConnections.count == 1)
    }

    @Test("an answer longer than APNs would ever send is cut off: the status counts, and the stream is reset")
    func endlessAnswer() {
        var play = PoolHarness()
        let id = play.send()
        play.settings(10, on: 1)
        play.receive(APNsAnswerHead(status: 400), isLast: false, 1, on: 1)
        play.receive(ByteBuffer(repeating: 0x78, count: 4096), isLast: false, 1, on: 1)
        #expect(play.ends[id] == nil)
        play.receive(ByteBuffer(repeating: 0x78, count: 1), isLast: false, 1, on: 1)
        #expect(play.ends[id] == .answer(400, APNsReason(rawValue: "HTTP 400")))
        #expect(play.resets == [1])
        play.receive(ByteBuffer(repeating: 0x78, count: 16_384), isLast: true, 1, on: 1)
        #expect(play.resets == [1])
    }
}
