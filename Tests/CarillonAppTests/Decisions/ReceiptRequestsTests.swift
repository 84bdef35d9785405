import CarillonCore
import Synchronization
import Testing

@testable import CarillonMessaging

@Suite("Receipts of many notifications travel together")
struct ReceiptRequestsTests {
    /// A request that ends when the test says so.
    private final class Door: Sendable {
        private let begun = AsyncStream.makeStream(of: Void.self)
        private let opened = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)

        func pass() async {
            count.withLock { $0 += 1 }
            begun.continuation.yield()
            for await _ in opened.stream { break }
        }

        func untilKnocked() async { for await _ in begun.stream { break } }
        func open() { opened.continuation.yield() }
    }

    @Test("while a request is under way the others wait, and one further request carries them all")
    func together() async {
        let (requests, clock, door) = (ReceiptRequests(), ManualClock(start: Timestamp(secondsSince1970: 0)), Door())
        await withDiscardingTaskGroup { group in
            group.addTask { await requests.send(clock) { await door.pass() } }
            await door.untilKnocked()
            for _ in 0..<20 { group.addTask { await requests.send(clock) { await door.pass() } } }
            while await requests.waitingCount < 20 { await Task.yield() }
            door.open()
            await door.untilKnocked()
            door.open()
        }
        #expect(door.count.withLock { $0 } == 2)
    }

    @Test("a request that never ends holds up nobody for longer than requests may take")
    func stopped() async {
        let (requests, clock, door) = (ReceiptRequests(), ManualClock(start: Timestamp(secondsSince1970: 0)), Door())
        let stopped = Task { await requests.send(clock) { await door.pass() } }
        await door.untilKnocked()
        clock.advance(by: AppLimits.requestTime)
        let sent = Mutex(0)
        await requests.send(clock) { sent.withLock { $0 += 1 } }
        #expect(sent.withLock { $0 } == 1)
        door.open()
        await stopped.value
    }

    @Test("the end of a request that took too long does not begin another beside the newer one")
    func overtaken() async {
        let (requests, clock) = (ReceiptRequests(), ManualClock(start: Timestamp(secondsSince1970: 0)))
        let (old, new, last) = (Door(), Door(), Door())
        let stopped = Task { await requests.send(clock) { await old.pass() } }
        await old.untilKnocked()
        clock.advance(by: AppLimits.requestTime)
        let newer = Task { await requests.send(clock) { await new.pass() } }
        await new.untilKnocked()
        let next = Task { await requests.send(clock) { await last.pass() } }
        while await requests.waitingCount < 1 { await Task.yield() }
        old.open()
        await stopped.value
        #expect(await requests.waitingCount == 1)
        #expect(last.count.withLock { $0 } == 0)
        new.open()
        await last.untilKnocked()
        last.open()
        await newer.value
        await next.value
    }
}
