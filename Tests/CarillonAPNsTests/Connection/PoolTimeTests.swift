import CarillonCore
import Testing

@testable import CarillonAPNs

@Suite("The pool: health, back-off, shutdown")
struct PoolTimeTests {
    @Test("a busy connection that falls silent is asked by PING, and given up when it does not answer")
    func silentConnection() {
        var play = PoolHarness()
        let id = play.send(within: .seconds(60))
        play.settings(100, on: 1)
        play.pass(.seconds(10))
        #expect(play.pings == [1])
        play.pass(.seconds(10))
        #expect(play.ends[id] == .failed(.unknown))
        #expect(play.servers[1]?.isClosed == true)
    }

    @Test("a PING that is answered keeps the connection, and any frame counts as an answer")
    func alive() {
        var play = PoolHarness()
        play.send(within: .seconds(600))
        play.settings(100, on: 1)
        play.pass(.seconds(10))
        play.pong(1)
        play.pass(.seconds(10))
        #expect(play.pings == [1, 1])
        play.settings(100, on: 1)
        play.pass(.seconds(5))
        #expect(play.servers[1]?.isClosed == false)
    }

    @Test("an idle connection is kept, with a PING once an hour")
    func idle() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.acceptAll(on: 1)
        for _ in 0..<5 {
            play.pass(.seconds(3600))
            play.pong(1)
        }
        #expect(play.pings.count == 5)
        #expect(play.openConnections == [1])
    }

    @Test("a connection that becomes busy after a long rest is not taken for silent")
    func afterRest() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.acceptAll(on: 1)
        play.pass(.seconds(3000))
        play.send()
        play.pass(.seconds(9))
        #expect(play.pings.isEmpty)
    }

    @Test("connecting that takes too long is given up and tried again")
    func connectTimeout() {
        var play = PoolHarness()
        play.send()
        play.pass(.seconds(10))
        #expect(play.servers[1]?.isClosed == true)
        play.pass(.seconds(1))
        #expect(play.openConnections == [2])
    }

    @Test("the pauses between attempts double up to the longest, with jitter between half and whole")
    func backOff() {
        var backOff = ReconnectBackoff(Backoff(first: .milliseconds(100), longest: .seconds(60)), seed: 7)
        var whole = Duration.milliseconds(100)
        for _ in 0..<40 {
            let pause = backOff.failed()
            #expect(pause >= whole / 2 && pause <= whole)
            whole = min(whole * 2, .seconds(60))
        }
        backOff.succeeded()
        #expect(backOff.failed() <= .milliseconds(100))
    }

    @Test("two clients with different seeds do not come back at one instant")
    func jitter() {
        var one = ReconnectBackoff(Backoff(first: .seconds(1), longest: .seconds(60)), seed: 1)
        var two = ReconnectBackoff(Backoff(first: .seconds(1), longest: .seconds(60)), seed: 2)
        var again = ReconnectBackoff(Backoff(first: .seconds(1), longest: .seconds(60)), seed: 1)
        let pauses = (0..<8).map { _ in one.failed() }
        #expect(pauses != (0..<8).map { _ in two.failed() })
        #expect(pauses == (0..<8).map { _ in again.failed() })
    }

    @Test("a connection that is lost after it was of use is replaced without a pause")
    func noPauseAfterUse() {
        var play = PoolHarness()
        play.send(count: 2)
        play.settings(1, on: 1)
        play.accept(1, on: 1)
        play.send()
        play.lose(1)
        #expect(play.openConnections == [2])
    }

    @Test("a shutdown lets what is queued and in flight end, takes nothing new, then closes")
    func shutdown() {
        var play = PoolHarness()
        let ids = play.send(count: 3)
        play.settings(2, on: 1)
        play.shutDown()
        let late = play.send()
        #expect(play.ends == [late: .failed(.shutDown)])
        play.acceptAll(on: 1)
        play.acceptAll(on: 1)
        #expect(ids.allSatisfy { play.ends[$0] == .answer(200, nil) })
        #expect(play.hasStopped && play.openConnections.isEmpty)
    }

    @Test("a shutdown is bounded: at its end the rest is told whether it was sent")
    func boundedShutdown() {
        var play = PoolHarness()
        let sent = play.send(within: .seconds(3600))
        let queued = play.send(within: .seconds(3600))
        play.settings(1, on: 1)
        play.shutDown()
        for _ in 0..<10 {
            play.pass(.seconds(3))
            if !play.hasStopped { play.pong(1) }
        }
        #expect(play.errors[sent]?.code == .shutDown && play.errors[sent]?.mayHaveArrived == true)
        #expect(play.errors[queued]?.code == .shutDown && play.errors[queued]?.mayHaveArrived == false)
        #expect(play.hasStopped && play.openConnections.isEmpty)
    }

    @Test("a shutdown with nothing to do is immediate, also twice")
    func emptyShutdown() {
        var play = PoolHarness()
        play.shutDown()
        #expect(play.hasStopped)
        play.shutDown()
    }
}
