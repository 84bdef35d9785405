import CarillonCore
import Foundation
import Testing

@testable import CarillonMessaging

@Suite("Each lane of requests says when it tries again")
struct RequestLaneTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)

    private func failure(_ problem: ServiceCallError.Problem = .notSent("no network")) -> RequestFailure {
        RequestFailure(ServiceCallError(request: "POST receipts", problem: problem), at: start, jitter: 1)
    }

    private func receipts(_ names: String...) throws -> ReceiptQueue {
        var queue = ReceiptQueue(prefix: "p")
        for name in names { queue.add(.shown, of: try MessageID(name), at: start) }
        return queue
    }

    private func reads(_ names: String...) throws -> ReadLane {
        var lane = ReadLane()
        for name in names { lane.add(MessageRevision(try MessageID(name))) }
        return lane
    }

    private func expectOneAttempt(_ lane: some RequestLane, without empty: some RequestLane) {
        let end = start + .seconds(5)
        #expect(lane.nextAttempt(at: start) == end && !lane.isDue(at: start))
        #expect(lane.nextAttempt(at: end) == nil && lane.isDue(at: end), "the moment has passed")
        #expect(empty.nextAttempt(at: start) == nil && !empty.isDue(at: end), "nothing waits")
    }

    @Test("only while something waits, and only for a moment that lies ahead")
    func nextAttempt() throws {
        var queue = try receipts("m")
        var empty = try receipts()
        #expect(queue.nextAttempt(at: start) == nil && queue.isDue(at: start), "nothing delays it")
        var goesOn = queue.failed(queue.batch(at: start), failure())
        #expect(!goesOn)
        empty.backoff.failed(at: start)
        expectOneAttempt(queue, without: empty)
        var lane = try reads("m")
        goesOn = lane.failed(lane.batch(at: start), failure())
        #expect(!goesOn)
        var noReads = try reads()
        noReads.backoff.failed(at: start)
        expectOneAttempt(lane, without: noReads)
        var fetch = FetchLane()
        fetch.failed(failure())
        let idle = fetch
        fetch.ask()
        expectOneAttempt(fetch, without: idle)
        fetch.answered()
        #expect(fetch == FetchLane())
    }

    @Test("a registration without a device token waits for that token, not for a back-off")
    func registration() throws {
        var state = RegistrationState()
        state.failed(failure(), isRegistering: true)
        let facts = RegistrationFacts(
            token: try #require(DeviceToken(Data([1, 2, 3, 4]))), topic: "t", environment: .sandbox,
            device: DeviceFacts(permission: .authorized))
        #expect(state.nextAttempt(facts, at: start) == start + .seconds(5))
        #expect(state.nextAttempt(facts, at: start + .seconds(5)) == nil && state.nextAttempt(nil, at: start) == nil)
    }

    @Test("whoever drops the receipts, or learns that the other process has sent them, waits no more")
    func clearedAndJoined() throws {
        var queue = try receipts("m")
        queue.backoff.failed(at: start)
        var other = queue
        queue.clear()
        #expect(queue.backoff == RetryState() && !queue.hasWork)
        other.join(ReceiptQueue.Change(removed: ["another receipt"]))
        #expect(other.backoff != RetryState())
        other.join(ReceiptQueue.Change(removed: other.pending.map(\.id)))
        #expect(other.backoff == RetryState() && !other.hasWork)
    }

    @Test("of two processes' back-offs the later counts, in whichever order they are joined")
    func joinedBackoff() {
        var (one, other) = (RetryState(), RetryState())
        one.failed(at: start)
        for _ in 0..<3 { other.failed(at: start) }
        var (first, second) = (one, other)
        first.join(other)
        second.join(one)
        #expect(first == other && second == other)
        one.join(RetryState())
        #expect(one.notBefore == start + .seconds(5), "a process that knows nothing changes nothing")
    }

    @Test("an entry that the service refuses for good is found by smaller batches, dropped alone, and delays nothing")
    func refused() throws {
        var lane = try reads("a", "b", "c", "d")
        let refused = failure(.refused(422, "invalid-value", ""))
        var sent: [String] = []
        while lane.hasWork {
            let batch = lane.batch(at: start)
            sent.append(batch.map(\.message.rawValue).joined())
            if sent.last?.contains("b") == true {
                let goesOn = lane.failed(batch, refused)
                #expect(goesOn)
            } else {
                lane.settled(batch)
            }
        }
        #expect(sent == ["abcd", "ab", "a", "bcd", "b", "cd"])
    }

    @Test("a service that does not know the installation delays no lane: the app registers again, and then sends")
    func unknown() throws {
        var queue = try receipts("m")
        let unknown = failure(.refused(401, "unauthorized", ""))
        let goesOn = queue.failed(queue.pending, unknown)
        #expect(!goesOn && queue.isDue(at: start))
        var state = RegistrationState()
        state.failed(unknown)
        #expect(state.backoff == RetryState())
    }
}
