import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("The pool: streams and connections")
struct PoolStreamTests {
    @Test("nothing connects before there is something to send")
    func lazy() {
        var play = PoolHarness()
        play.pass(.seconds(3600))
        #expect(play.servers.isEmpty)
        play.send()
        #expect(play.openConnections == [1])
    }

    @Test("no stream is opened before the server's first SETTINGS")
    func settingsFirst() {
        var play = PoolHarness()
        let id = play.send()
        #expect(play.opened[id] == nil)
        play.settings(nil, on: 1)
        #expect(play.streams(on: 1) == [1])
        play.accept(1, on: 1)
        #expect(play.ends[id] == .answer(200, nil))
    }

    @Test("1: GOAWAY fails nothing: above the last stream sent again, below it awaited, queued kept")
    func goAway() {
        var play = PoolHarness()
        let ids = play.send(count: 6)
        play.settings(4, on: 1)
        play.goAway(last: 3, on: 1)
        #expect(play.ends.isEmpty)
        #expect(play.streams(on: 1) == [1, 3])
        play.acceptAll(on: 1)
        play.pass(.seconds(1))
        play.settings(100, on: 2)
        play.acceptAll(on: 2)
        #expect(ids.allSatisfy { play.ends[$0] == .answer(200, nil) })
        #expect(play.opened[ids[0]] == 1 && play.opened[ids[2]] == 2 && play.opened[ids[5]] == 1)
    }

    @Test("1: what is sent again after GOAWAY goes out in its old order, before what came later")
    func goAwayOrder() {
        var play = PoolHarness()
        let ids = play.send(count: 5)
        play.settings(3, on: 1)
        play.goAway(last: 0, on: 1)
        play.pass(.seconds(1))
        play.settings(100, on: 2)
        let order = play.streams(on: 2).compactMap { play.servers[2]?.streams[$0] }
        #expect(order == ids)
    }

    @Test("2: a connection that said GOAWAY never takes another request, however long it stays open")
    func goAwayNeverReused() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.goAway(last: 1, on: 1)
        for _ in 0..<20 {
            play.send()
            play.pass(.seconds(1))
            play.pong(1)
        }
        #expect(play.streams(on: 1) == [1])
        play.acceptAll(on: 1)
        #expect(play.servers[1]?.isClosed == true)
    }

    @Test("3: a server that ends every connection before SETTINGS is tried again with growing pauses")
    func goAwayBeforeSettings() {
        var play = PoolHarness()
        let id = play.send(within: .seconds(20))
        for attempt in 1...5 {
            play.lose(attempt)
            #expect(play.openConnections.isEmpty)
            play.pass(.seconds(2))
        }
        #expect(play.openConnections == [6])
        play.settings(1, on: 6)
        play.acceptAll(on: 6)
        #expect(play.ends[id] == .answer(200, nil))
    }

    @Test("4: MAX_CONCURRENT_STREAMS drops to 1 with streams in flight: they are awaited, the rest queues")
    func concurrencyDrops() {
        var play = PoolHarness()
        let ids = play.send(count: 10)
        play.settings(5, on: 1)
        play.settings(1, on: 1)
        #expect(play.streams(on: 1).count == 5)
        for _ in 0..<4 { play.accept(play.streams(on: 1)[0], on: 1) }
        #expect(play.streams(on: 1).count == 1)
        #expect(play.ends.count == 4)
        for _ in 0..<6 { play.acceptAll(on: 1) }
        #expect(ids.allSatisfy { play.ends[$0] == .answer(200, nil) })
    }

    @Test("4: one stream until the first answer, then as many as the new SETTINGS allow, without a second connection")
    func oneStreamFirst() {
        var play = PoolHarness()
        play.send(count: 50)
        play.settings(1, on: 1)
        play.pass(.seconds(2))
        #expect(play.streams(on: 1).count == 1)
        #expect(play.openConnections == [1])
        play.settings(1000, on: 1)
        #expect(play.streams(on: 1).count == 50)
    }

    @Test("5: 429 TooManyProviderTokenUpdates replaces the connection and sends again")
    func tooManyTokens() {
        var play = PoolHarness()
        let ids = play.send(count: 3)
        play.settings(100, on: 1)
        play.refuse(1, on: 1, status: 429, .tooManyProviderTokenUpdates)
        play.pass(.seconds(1))
        play.settings(100, on: 2)
        #expect(play.streams(on: 2).count == 1)
        play.acceptAll(on: 1)
        play.acceptAll(on: 2)
        #expect(ids.allSatisfy { play.ends[$0] == .answer(200, nil) })
        #expect(play.servers[1]?.isClosed == true)
    }

    @Test(
        "5: a server that always answers 429 TooManyProviderTokenUpdates sees few connections, and the caller its answer"
    )
    func tooManyTokensForever() {
        var play = PoolHarness()
        let id = play.send()
        for _ in 0..<40 where play.ends.isEmpty {
            for connection in play.openConnections {
                play.settings(100, on: connection)
                for stream in play.streams(on: connection) {
                    play.refuse(stream, on: connection, status: 429, .tooManyProviderTokenUpdates)
                }
            }
            play.pass(.milliseconds(500))
        }
        #expect(play.ends[id] == .answer(429, .tooManyProviderTokenUpdates))
        #expect(play.servers.count == APNsLimits().resends + 1)
    }

    @Test("6: an answer that never comes ends at the deadline, as sent and unknown, and frees the stream")
    func silence() {
        var play = PoolHarness()
        let id = play.send(within: .seconds(5))
        play.settings(1, on: 1)
        let next = play.send(within: .seconds(60))
        play.pass(.seconds(5))
        #expect(play.ends[id] == .failed(.unknown))
        #expect(play.errors[id]?.mayHaveArrived == true)
        #expect(play.resets == [1])
        #expect(play.opened[next] == 1)
    }

    @Test("6: what was never given to a connection ends at the deadline as never sent, with the trouble named")
    func neverSent() {
        var play = PoolHarness()
        let id = play.send(within: .seconds(5))
        play.lose(1)
        play.pass(.seconds(5))
        #expect(play.ends[id] == .failed(.notSent))
        #expect(play.errors[id]?.mayHaveArrived == false)
        #expect(play.errors[id]?.message.contains("test") == true)
    }

    @Test("10: requests are spread over the least loaded connections")
    func spreads() {
        var limits = APNsLimits()
        limits.streamsPerConnection = 10
        var play = PoolHarness(limits: limits)
        play.send(count: 25)
        play.settings(nil, on: 1)
        play.accept(1, on: 1)
        play.pass(.milliseconds(600))
        play.settings(nil, on: 2)
        #expect(play.streams(on: 1).count == 10)
        #expect(play.streams(on: 2).count == 10)
        play.acceptAll(on: 1)
        play.acceptAll(on: 2)
        play.acceptAll(on: 1)
        play.acceptAll(on: 2)
        play.send(count: 6)
        #expect(play.streams(on: 1).count == 3)
        #expect(play.streams(on: 2).count == 3)
    }

    @Test("REFUSED_STREAM is sent again, and a server that refuses everything is not hammered")
    func refusedStream() {
        var play = PoolHarness()
        let id = play.send()
        let other = play.send()
        play.settings(100, on: 1)
        play.reset(3, on: 1, refused: true)
        #expect(play.ends.isEmpty)
        #expect(play.streams(on: 1) == [1])
        play.accept(1, on: 1)
        #expect(play.ends[id] == .answer(200, nil))
        for _ in 0...APNsLimits().resends {
            for stream in play.streams(on: 1) { play.reset(stream, on: 1, refused: true) }
        }
        #expect(play.ends[other] == .failed(.notSent))
        #expect(play.errors[other]?.mayHaveArrived == false)
    }

    @Test("a stream reset for another reason is sent and unknown")
    func resetStream() {
        var play = PoolHarness()
        let id = play.send()
        play.settings(100, on: 1)
        play.reset(1, on: 1, refused: false)
        #expect(play.ends[id] == .failed(.unknown))
    }

    @Test("cancelling resets the stream, or removes from the queue, and says which")
    func cancels() {
        var play = PoolHarness()
        let ids = play.send(count: 2)
        play.settings(1, on: 1)
        play.cancel(ids[1])
        #expect(play.errors[ids[1]]?.mayHaveArrived == false)
        play.cancel(ids[0])
        #expect(play.errors[ids[0]]?.mayHaveArrived == true)
        #expect(play.resets == [1])
        #expect(play.ends.values.allSatisfy { $0 == .failed(.cancelled) })
    }

    @Test("a lost connection makes what was in flight unknown; the queue goes on elsewhere")
    func lost() {
        var play = PoolHarness()
        let ids = play.send(count: 3)
        play.settings(2, on: 1)
        play.accept(1, on: 1)
        play.lose(1)
        #expect(play.ends[ids[0]] == .answer(200, nil))
        #expect(play.ends[ids[1]] == .failed(.unknown) && play.ends[ids[2]] == .failed(.unknown))
        let next = play.send()
        play.settings(2, on: 2)
        play.acceptAll(on: 2)
        #expect(play.ends[next] == .answer(200, nil))
    }

    @Test("a connection that cannot be written to gets no streams until it can")
    func writability() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.writable(false, 1)
        let id = play.send()
        #expect(play.opened[id] == nil)
        play.writable(true, 1)
        #expect(play.opened[id] == 1)
    }

    @Test("no body is begun that the server's window may not have room for; a tiny window does not stop the work")
    func window() {
        var play = PoolHarness()
        for _ in 0..<20 { play.send(byteCount: 4096) }
        play.settings(100, on: 1)
        #expect(play.streams(on: 1).count == 15)
        play.window(4096, on: 1)
        #expect(play.streams(on: 1).count == 16)
        play.acceptAll(on: 1)
        #expect(play.ends.count == 16)
        for _ in 0..<4 { play.acceptAll(on: 1) }
        #expect(play.ends.count == 20)
    }

    @Test("a connection that has used up its stream ids is replaced")
    func streamIDs() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.pool.connections[0].nextStreamID = PoolConnection.lastStreamID - 2
        play.send()
        play.send()
        #expect(play.openConnections == [1, 2])
    }

    @Test("the number of suspended sends is bounded")
    func bounded() {
        var limits = APNsLimits()
        limits.suspendedSends = 3
        var play = PoolHarness(limits: limits)
        let ids = play.send(count: 4)
        #expect(play.ends == [ids[3]: .failed(.overloaded)])
    }

    @Test("what has ended leaves no trace in the queues")
    func noTrace() {
        var play = PoolHarness()
        for _ in 0..<10_000 { play.cancel(play.send()) }
        #expect(play.pool.requests.isEmpty)
        #expect(play.pool.queue.count < 200)
        #expect(play.pool.deadlines.count < 200)
    }
}
