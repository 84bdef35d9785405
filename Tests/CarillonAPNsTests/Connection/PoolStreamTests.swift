import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("The pool: streams and connections")
struct PoolStreamTests {
    @Test("nothing connects before there is something to send")
    func lazy() {
        var harness = PoolHarness()
        harness.pass(.seconds(3600))
        #expect(harness.servers.isEmpty)
        harness.send()
        #expect(harness.openConnections == [1])
    }

    @Test("no stream is opened before the server's first SETTINGS")
    func settingsFirst() {
        var harness = PoolHarness()
        let id = harness.send()
        #expect(harness.opened[id] == nil)
        harness.settings(nil, on: 1)
        #expect(harness.streams(on: 1) == [1])
        harness.accept(1, on: 1)
        #expect(harness.ends[id] == .answer(200, nil))
    }

    @Test("1: GOAWAY fails nothing: above the last stream sent again, below it awaited, queued kept")
    func goAway() {
        var harness = PoolHarness()
        let ids = harness.send(count: 6)
        harness.settings(4, on: 1)
        harness.goAway(last: 3, on: 1)
        #expect(harness.ends.isEmpty)
        #expect(harness.streams(on: 1) == [1, 3])
        harness.acceptAll(on: 1)
        harness.pass(.seconds(1))
        harness.settings(100, on: 2)
        harness.acceptAll(on: 2)
        #expect(ids.allSatisfy { harness.ends[$0] == .answer(200, nil) })
        #expect(harness.opened[ids[0]] == 1 && harness.opened[ids[2]] == 2 && harness.opened[ids[5]] == 1)
    }

    @Test("1: what is sent again after GOAWAY goes out in its old order, before what came later")
    func goAwayOrder() {
        var harness = PoolHarness()
        let ids = harness.send(count: 5)
        harness.settings(3, on: 1)
        harness.goAway(last: 0, on: 1)
        harness.pass(.seconds(1))
        harness.settings(100, on: 2)
        let order = harness.streams(on: 2).compactMap { harness.servers[2]?.streams[$0] }
        #expect(order == ids)
    }

    @Test("2: a connection that said GOAWAY never takes another request, however long it stays open")
    func goAwayNeverReused() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.goAway(last: 1, on: 1)
        for _ in 0..<20 {
            harness.send()
            harness.pass(.seconds(1))
            harness.pong(1)
        }
        #expect(harness.streams(on: 1) == [1])
        harness.acceptAll(on: 1)
        #expect(harness.servers[1]?.isClosed == true)
    }

    @Test("3: a server that ends every connection before SETTINGS is tried again with growing pauses")
    func goAwayBeforeSettings() {
        var harness = PoolHarness()
        let id = harness.send(within: .seconds(20))
        for attempt in 1...5 {
            harness.lose(attempt)
            #expect(harness.openConnections.isEmpty)
            harness.pass(.seconds(2))
        }
        #expect(harness.openConnections == [6])
        harness.settings(1, on: 6)
        harness.acceptAll(on: 6)
        #expect(harness.ends[id] == .answer(200, nil))
    }

    @Test("3: a server that says GOAWAY first thing is tried again with growing pauses, too")
    func goAwayFirst() {
        var harness = PoolHarness()
        harness.send(within: .seconds(60))
        for attempt in 1...5 {
            #expect(harness.openConnections == [attempt])
            harness.goAway(last: 0, on: attempt)
            #expect(harness.openConnections.isEmpty, "there is a pause")
            harness.pass(.seconds(2))
        }
    }

    @Test("4: MAX_CONCURRENT_STREAMS drops to 1 with streams in flight: they are awaited, the rest queues")
    func concurrencyDrops() {
        var harness = PoolHarness()
        let ids = harness.send(count: 10)
        harness.settings(5, on: 1)
        harness.settings(1, on: 1)
        #expect(harness.streams(on: 1).count == 5)
        for _ in 0..<4 { harness.accept(harness.streams(on: 1)[0], on: 1) }
        #expect(harness.streams(on: 1).count == 1)
        #expect(harness.ends.count == 4)
        for _ in 0..<6 { harness.acceptAll(on: 1) }
        #expect(ids.allSatisfy { harness.ends[$0] == .answer(200, nil) })
    }

    @Test("4: one stream until the first answer, then as many as the new SETTINGS allow, without a second connection")
    func oneStreamFirst() {
        var harness = PoolHarness()
        harness.send(count: 50)
        harness.settings(1, on: 1)
        harness.pass(.seconds(2))
        #expect(harness.streams(on: 1).count == 1)
        #expect(harness.openConnections == [1])
        harness.settings(1000, on: 1)
        #expect(harness.streams(on: 1).count == 50)
    }

    @Test("5: 429 TooManyProviderTokenUpdates replaces the connection and sends again")
    func tooManyTokens() {
        var harness = PoolHarness()
        let ids = harness.send(count: 3)
        harness.settings(100, on: 1)
        harness.refuse(1, on: 1, status: 429, .tooManyProviderTokenUpdates)
        harness.pass(.seconds(1))
        harness.settings(100, on: 2)
        #expect(harness.streams(on: 2).count == 1)
        harness.acceptAll(on: 1)
        harness.acceptAll(on: 2)
        #expect(ids.allSatisfy { harness.ends[$0] == .answer(200, nil) })
        #expect(harness.servers[1]?.isClosed == true)
    }

    @Test(
        "5: a server that always answers 429 TooManyProviderTokenUpdates sees few connections, and the caller its answer"
    )
    func tooManyTokensForever() {
        var harness = PoolHarness()
        let id = harness.send()
        for _ in 0..<40 where harness.ends.isEmpty {
            for connection in harness.openConnections {
                harness.settings(100, on: connection)
                for stream in harness.streams(on: connection) {
                    harness.refuse(stream, on: connection, status: 429, .tooManyProviderTokenUpdates)
                }
            }
            harness.pass(.milliseconds(500))
        }
        #expect(harness.ends[id] == .answer(429, .tooManyProviderTokenUpdates))
        #expect(harness.servers.count == APNsLimits().resends + 1)
    }

    @Test(
        "6: an answer that never comes ends at the deadline, as sent and unknown; the next request takes another connection"
    )
    func silence() {
        var harness = PoolHarness()
        let id = harness.send(within: .seconds(5))
        harness.settings(1, on: 1)
        let next = harness.send(within: .seconds(60))
        harness.pass(.seconds(5))
        #expect(harness.ends[id] == .failed(.unknown))
        #expect(harness.errors[id]?.mayHaveArrived == true)
        #expect(harness.resets == [1])
        #expect(harness.opened[next] == nil, "not by the connection that has answered nothing")
        harness.pass(.seconds(2))
        harness.settings(1, on: 2)
        #expect(harness.opened[next] == 1 && harness.streams(on: 2).count == 1)
    }

    @Test("6: what was never given to a connection ends at the deadline as never sent, with the problem named")
    func neverSent() {
        var harness = PoolHarness()
        let id = harness.send(within: .seconds(5))
        harness.lose(1)
        harness.pass(.seconds(5))
        #expect(harness.ends[id] == .failed(.notSent))
        #expect(harness.errors[id]?.mayHaveArrived == false)
        #expect(harness.errors[id]?.message.contains("test") == true)
    }

    @Test("10: requests are spread over the least loaded connections")
    func spreads() {
        var limits = APNsLimits()
        limits.streamsPerConnection = 10
        var harness = PoolHarness(limits: limits)
        harness.send(count: 25)
        harness.settings(nil, on: 1)
        harness.accept(1, on: 1)
        harness.pass(.milliseconds(600))
        harness.settings(nil, on: 2)
        #expect(harness.streams(on: 1).count == 10)
        #expect(harness.streams(on: 2).count == 10)
        harness.acceptAll(on: 1)
        harness.acceptAll(on: 2)
        harness.acceptAll(on: 1)
        harness.acceptAll(on: 2)
        harness.send(count: 6)
        #expect(harness.streams(on: 1).count == 3)
        #expect(harness.streams(on: 2).count == 3)
    }

    @Test("REFUSED_STREAM is sent again, and a server that refuses everything is not hammered")
    func refusedStream() {
        var harness = PoolHarness()
        let id = harness.send()
        let other = harness.send()
        harness.settings(100, on: 1)
        harness.reset(3, on: 1, refused: true)
        #expect(harness.ends.isEmpty)
        #expect(harness.streams(on: 1) == [1])
        harness.accept(1, on: 1)
        #expect(harness.ends[id] == .answer(200, nil))
        for _ in 0...APNsLimits().resends {
            for stream in harness.streams(on: 1) { harness.reset(stream, on: 1, refused: true) }
        }
        #expect(harness.ends[other] == .failed(.notSent))
        #expect(harness.errors[other]?.mayHaveArrived == false)
    }

    @Test("a push whose 200 has come is not sent again when the server then refuses its stream, or says GOAWAY")
    func refusedAfterAnswer() {
        for isReset in [true, false] {
            var harness = PoolHarness()
            let id = harness.send()
            harness.settings(100, on: 1)
            harness.receive(APNsAnswerHead(status: 200), isLast: false, 1, on: 1)
            if isReset { harness.reset(1, on: 1, refused: true) } else { harness.goAway(last: 0, on: 1) }
            harness.pass(.seconds(60))
            #expect(harness.ends[id] == .answer(200, nil) && harness.opened[id] == 1)
        }
    }

    @Test("a push whose 200 has come is accepted, also if the end of the answer never comes, or the connection is lost")
    func endMissing() {
        for number in 0..<3 {
            var harness = PoolHarness()
            let id = harness.send(within: .seconds(15))
            harness.settings(100, on: 1)
            harness.receive(APNsAnswerHead(status: 200), isLast: false, 1, on: 1)
            if number == 0 { harness.lose(1) }
            if number == 1 { harness.pass(.seconds(15)) }
            if number == 2 { harness.reset(1, on: 1, refused: false) }
            #expect(harness.ends[id] == .answer(200, nil), "\(number)")
        }
    }

    @Test("a rejection that is cut off before its reason has come is unknown, also by REFUSED_STREAM")
    func refusedAfterRejection() {
        var harness = PoolHarness()
        let id = harness.send()
        harness.settings(100, on: 1)
        harness.receive(APNsAnswerHead(status: 410), isLast: false, 1, on: 1)
        harness.reset(1, on: 1, refused: true)
        #expect(harness.ends[id] == .failed(.unknown) && harness.opened[id] == 1)
    }

    @Test("a request whose token cannot be signed gives back what it would have taken of the server's window")
    func unsignedWindow() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        let window = harness.pool.connections[0].sendWindow
        for _ in 0..<20 {
            let id = harness.send(byteCount: 4096)
            for stream in harness.streams(on: 1) where harness.servers[1]?.streams[stream] == id {
                harness.servers[1]?.streams[stream] = nil
            }
            harness.perform(harness.pool.signingFailed(id, at: harness.now))
            #expect(harness.ends[id] == .failed(.notSent))
        }
        #expect(harness.pool.connections[0].sendWindow == window)
    }

    @Test("a stream reset for another reason is sent and unknown")
    func resetStream() {
        var harness = PoolHarness()
        let id = harness.send()
        harness.settings(100, on: 1)
        harness.reset(1, on: 1, refused: false)
        #expect(harness.ends[id] == .failed(.unknown))
    }

    @Test("cancelling resets the stream, or removes from the queue, and says which")
    func cancels() {
        var harness = PoolHarness()
        let ids = harness.send(count: 2)
        harness.settings(1, on: 1)
        harness.cancel(ids[1])
        #expect(harness.errors[ids[1]]?.mayHaveArrived == false)
        harness.cancel(ids[0])
        #expect(harness.errors[ids[0]]?.mayHaveArrived == true)
        #expect(harness.resets == [1])
        #expect(harness.ends.values.allSatisfy { $0 == .failed(.cancelled) })
    }

    @Test("a lost connection makes what was in flight unknown; the queue goes on elsewhere")
    func lost() {
        var harness = PoolHarness()
        let ids = harness.send(count: 3)
        harness.settings(2, on: 1)
        harness.accept(1, on: 1)
        harness.lose(1)
        #expect(harness.ends[ids[0]] == .answer(200, nil))
        #expect(harness.ends[ids[1]] == .failed(.unknown) && harness.ends[ids[2]] == .failed(.unknown))
        let next = harness.send()
        harness.settings(2, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[next] == .answer(200, nil))
    }

    @Test("a connection that cannot be written to gets no streams until it can")
    func writability() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.writable(false, 1)
        let id = harness.send()
        #expect(harness.opened[id] == nil)
        harness.writable(true, 1)
        #expect(harness.opened[id] == 1)
    }

    @Test("no body is begun that the server's window may not have room for; a tiny window does not stop the work")
    func window() {
        var harness = PoolHarness()
        for _ in 0..<20 { harness.send(byteCount: 4096) }
        harness.settings(100, on: 1)
        #expect(harness.streams(on: 1).count == 15)
        harness.window(4096, on: 1)
        #expect(harness.streams(on: 1).count == 16)
        harness.acceptAll(on: 1)
        #expect(harness.ends.count == 16)
        for _ in 0..<4 { harness.acceptAll(on: 1) }
        #expect(harness.ends.count == 20)
    }

    @Test("a connection that has used up its stream ids is replaced")
    func streamIDs() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.pool.connections[0].nextStreamID = PoolConnection.lastStreamID - 2
        harness.send()
        harness.send()
        #expect(harness.openConnections == [1, 2])
    }

    @Test("the number of suspended sends is bounded")
    func bounded() {
        var limits = APNsLimits()
        limits.suspendedSends = 3
        var harness = PoolHarness(limits: limits)
        let ids = harness.send(count: 4)
        #expect(harness.ends == [ids[3]: .failed(.overloaded)])
    }

    @Test("what has ended leaves no trace in the queues")
    func noTrace() {
        var harness = PoolHarness()
        for _ in 0..<10_000 { harness.cancel(harness.send()) }
        #expect(harness.pool.requests.isEmpty)
        #expect(harness.pool.requests.entryCount < 400)
    }
}
