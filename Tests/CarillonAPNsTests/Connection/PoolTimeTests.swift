import CarillonCore
import Testing

@testable import CarillonAPNs

@Suite("The pool: health, back-off, shutdown")
struct PoolTimeTests {
    @Test("a busy connection that falls silent is asked by PING, and given up when it does not answer")
    func silentConnection() {
        var harness = PoolHarness()
        let id = harness.send(within: .seconds(60))
        harness.settings(100, on: 1)
        harness.pass(.seconds(10))
        #expect(harness.pings == [1])
        harness.pass(.seconds(10))
        #expect(harness.ends[id] == .failed(.unknown))
        #expect(harness.servers[1]?.isClosed == true)
    }

    @Test("a PING that is answered keeps the connection, and any frame counts as an answer")
    func alive() {
        var harness = PoolHarness()
        harness.send(within: .seconds(600))
        harness.settings(100, on: 1)
        harness.pass(.seconds(10))
        harness.pong(1)
        harness.pass(.seconds(10))
        #expect(harness.pings == [1, 1])
        harness.settings(100, on: 1)
        harness.pass(.seconds(5))
        #expect(harness.servers[1]?.isClosed == false)
    }

    @Test("a connection that answers PINGs and swallows a request takes no other: the next goes by a new connection")
    func mute() {
        var harness = PoolHarness()
        let first = harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        #expect(harness.ends[first] == .answer(200, nil))
        let swallowed = harness.send(within: .seconds(15))
        harness.pass(.seconds(10))
        harness.pong(1)
        harness.pass(.seconds(5))
        #expect(harness.ends[swallowed] == .failed(.unknown))
        #expect(harness.warnings.contains(.connectionMute(1)))
        let second = harness.send(within: .seconds(15))
        harness.settings(100, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[second] == .answer(200, nil))
        #expect(harness.servers[1]?.isClosed == true)
    }

    @Test("a connection that has answered others meanwhile is kept when one request gets no answer")
    func oneUnanswered() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        let lost = harness.send(within: .seconds(15))
        harness.send(within: .seconds(60))
        harness.pass(.seconds(5))
        if let other = harness.streams(on: 1).last { harness.accept(other, on: 1) }
        harness.pass(.seconds(10))
        #expect(harness.ends[lost] == .failed(.unknown))
        #expect(!harness.warnings.contains(.connectionMute(1)))
        harness.send()
        #expect(harness.openConnections == [1])
    }

    @Test(
        "a server that allows no streams is named when a push ends for it, and the next push goes by a new connection")
    func noStreams() {
        var harness = PoolHarness()
        let first = harness.send(within: .seconds(15))
        harness.settings(0, on: 1)
        harness.pass(.seconds(15))
        #expect(harness.errors[first]?.code == .notSent)
        #expect(harness.errors[first]?.message.contains("SETTINGS_MAX_CONCURRENT_STREAMS is 0") == true)
        #expect(harness.servers[1]?.isClosed == true)
        let second = harness.send(within: .seconds(15))
        harness.pass(.seconds(1))
        harness.settings(100, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[second] == .answer(200, nil))
    }

    @Test("a server that allows no streams for a short time keeps its connection, and gets what waited")
    func noStreamsForAMoment() {
        var harness = PoolHarness()
        let push = harness.send(within: .seconds(15))
        harness.settings(0, on: 1)
        harness.pass(.seconds(14))
        harness.settings(1, on: 1)
        harness.acceptAll(on: 1)
        #expect(harness.ends[push] == .answer(200, nil))
        #expect(harness.openConnections == [1])
    }

    @Test("an idle connection whose server reads nothing is named and given up when a push has waited for it")
    func readsNothing() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        harness.writable(false, 1)
        let push = harness.send(within: .milliseconds(300))
        harness.pass(.milliseconds(300))
        #expect(harness.errors[push]?.message.contains("reads nothing") == true, "\(harness.errors)")
        #expect(harness.servers[1]?.isClosed == true)
    }

    @Test("an attempt that takes too long says which step had no answer, and so does a push that ends before it")
    func connectSteps() throws {
        var harness = PoolHarness()
        let proxy = try APNsProxy(url: "http://proxy.test:3128")
        let impatient = harness.send(within: .seconds(5))
        let patient = harness.send(within: .seconds(15))
        harness.reached(.lookUp(host: "proxy.test"), on: 1)
        harness.pass(.seconds(1))
        harness.reached(.tunnel(proxy), on: 1)
        harness.pass(.seconds(4))
        let words = "the proxy proxy.test:3128 did not answer CONNECT within"
        #expect(harness.errors[impatient]?.message.hasSuffix("The last problem was: \(words) 4 s.") == true)
        harness.pass(.seconds(5))
        #expect(harness.servers[1]?.isClosed == true)
        #expect(
            harness.warnings.contains {
                if case .connectFailed(1, _, _, let why) = $0 { why == "\(words) 9 s" } else { false }
            }, "\(harness.warnings)")
        harness.pass(.seconds(5))
        #expect(harness.errors[patient]?.message.contains(words) == true)
    }

    @Test("a problem that an answer has proved to be over is not named for a later push")
    func problemIsOver() {
        var harness = PoolHarness()
        let first = harness.send()
        harness.lose(1)
        harness.pass(.seconds(1))
        harness.settings(1, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[first] == .answer(200, nil))
        harness.send(count: 2)
        let queued = harness.send(within: .milliseconds(300))
        harness.pass(.milliseconds(300))
        #expect(harness.errors[queued]?.message == "The deadline passed while the notification was queued.")
    }

    @Test("an idle connection is kept, with a PING once an hour")
    func idle() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        for _ in 0..<5 {
            harness.pass(.seconds(3600))
            harness.pong(1)
        }
        #expect(harness.pings.count == 5)
        #expect(harness.openConnections == [1])
    }

    @Test("a connection that becomes busy after a long rest is not taken for silent")
    func afterRest() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        harness.pass(.seconds(3000))
        harness.send()
        harness.pass(.seconds(9))
        #expect(harness.pings.isEmpty)
    }

    @Test("connecting that takes too long is given up and tried again")
    func connectTimeout() {
        var harness = PoolHarness()
        harness.send()
        harness.pass(.seconds(10))
        #expect(harness.servers[1]?.isClosed == true)
        harness.pass(.seconds(1))
        #expect(harness.openConnections == [2])
    }

    @Test("the pauses between attempts double up to the longest, with jitter between half and whole")
    func backoff() {
        var pace = ConnectPace(APNsLimits(), seed: 7)
        var whole = Duration.milliseconds(100)
        for _ in 0..<40 {
            let pause = pace.failed(at: TestValues.start)
            #expect(pause >= whole / 2 && pause <= whole)
            #expect(pace.next == TestValues.start + pause)
            whole = min(whole * 2, .seconds(60))
        }
        pace.succeeded()
        #expect(pace.failed(at: TestValues.start) <= .milliseconds(100))
    }

    @Test("two clients with different seeds do not come back at one instant")
    func jitter() {
        func pauses(seed: UInt64) -> [Duration] {
            var pace = ConnectPace(APNsLimits(), seed: seed)
            return (0..<8).map { _ in pace.failed(at: TestValues.start) }
        }
        #expect(pauses(seed: 1) != pauses(seed: 2))
        #expect(pauses(seed: 1) == pauses(seed: 1))
    }

    @Test("a connection that is lost after it was of use is replaced without a pause")
    func noPauseAfterUse() {
        var harness = PoolHarness()
        harness.send(count: 2)
        harness.settings(1, on: 1)
        harness.accept(1, on: 1)
        harness.send()
        harness.lose(1)
        #expect(harness.openConnections == [2])
    }

    @Test("a shutdown lets what is queued and in flight end, takes nothing new, then closes")
    func shutdown() {
        var harness = PoolHarness()
        let ids = harness.send(count: 3)
        harness.settings(2, on: 1)
        harness.shutDown()
        let late = harness.send()
        #expect(harness.ends == [late: .failed(.shutDown)])
        harness.acceptAll(on: 1)
        harness.acceptAll(on: 1)
        #expect(ids.allSatisfy { harness.ends[$0] == .answer(200, nil) })
        #expect(harness.hasStopped && harness.openConnections.isEmpty)
    }

    @Test("a shutdown is bounded: at its end the rest is told whether it was sent")
    func boundedShutdown() {
        var harness = PoolHarness()
        let sent = harness.send(within: .seconds(3600))
        let queued = harness.send(within: .seconds(3600))
        harness.settings(1, on: 1)
        harness.shutDown()
        for _ in 0..<10 {
            harness.pass(.seconds(3))
            if !harness.hasStopped { harness.pong(1) }
        }
        #expect(harness.errors[sent]?.code == .shutDown && harness.errors[sent]?.mayHaveArrived == true)
        #expect(harness.errors[queued]?.code == .shutDown && harness.errors[queued]?.mayHaveArrived == false)
        #expect(harness.hasStopped && harness.openConnections.isEmpty)
    }

    @Test("a shutdown with nothing to do is immediate, also twice")
    func emptyShutdown() {
        var harness = PoolHarness()
        harness.shutDown()
        #expect(harness.hasStopped)
        harness.shutDown()
    }
}
