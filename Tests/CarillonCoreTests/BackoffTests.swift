import CarillonCore
import Testing

@Suite("Back-off")
struct BackoffTests {
    private let backoff = Backoff(first: .seconds(2), longest: .seconds(900))

    @Test("the wait doubles with every failure, up to the longest")
    func doubling() {
        #expect((1...4).map { backoff.wait(failures: $0) } == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
        #expect(backoff.wait(failures: 10) == .seconds(900))
        #expect(backoff.wait(failures: .max) == .seconds(900))
        #expect(backoff.wait(failures: 0) == .seconds(2))
    }

    @Test("chance spreads it over the second half of the step")
    func jitter() {
        #expect(backoff.wait(failures: 3, jitter: 0) == .seconds(4))
        #expect(backoff.wait(failures: 3, jitter: 0.5) == .seconds(6))
        #expect(backoff.wait(failures: 3, jitter: 0.999) < .seconds(8))
    }
}
