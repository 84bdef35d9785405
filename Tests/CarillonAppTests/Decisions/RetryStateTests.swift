import CarillonCore
import CarillonMessaging
import Testing

@Suite("When a request is tried again")
struct RetryStateTests {
    private let start = Timestamp(millisecondsSince1970: 1_700_000_000_000)

    private func wait(_ failures: Int, retryAfter: Duration? = nil, jitter: Double) -> Duration? {
        var state = RetryState()
        for _ in 0..<failures { state.failed(at: start, retryAfter: retryAfter, jitter: jitter) }
        return state.notBefore.map { $0 - start }
    }

    @Test("phones that failed together come back spread over half of the wait")
    func spread() {
        #expect(wait(1, jitter: 0) == .milliseconds(2500))
        #expect(wait(1, jitter: 0.5) == .milliseconds(3750))
        #expect(wait(1, jitter: 1) == .seconds(5))
        #expect(wait(4, jitter: 0.5) == .seconds(30))
    }

    @Test("nobody comes back before the service has asked for it, and some as late as twice that")
    func retryAfter() {
        #expect(wait(1, retryAfter: .seconds(20), jitter: 0) == .seconds(20))
        #expect(wait(1, retryAfter: .seconds(20), jitter: 0.5) == .seconds(30))
        #expect(wait(5, retryAfter: .seconds(1), jitter: 0) == .seconds(40), "the longer wait counts")
        #expect(wait(1, retryAfter: .seconds(UInt32.max), jitter: 0.5) == .seconds(3600), "an hour at most")
    }

    @Test("the wait ends at its moment; one beyond the longest wait comes of a clock that was set back")
    func ends() {
        var state = RetryState()
        #expect(state.mayTry(at: start))
        state.failed(at: start)
        let (moment, least, longest) = (start + .seconds(5), Duration.milliseconds(1), Duration.seconds(3600))
        #expect(!state.mayTry(at: moment - least) && state.mayTry(at: moment))
        #expect(!state.mayTry(at: moment - longest) && state.mayTry(at: moment - longest - least))
    }

    @Test("a network that may be back ends the wait for it, and not the one that the service asked for")
    func network() {
        var state = RetryState()
        state.failed(at: start)
        state.networkMayBeBack()
        #expect(!state.mayTry(at: start) && state.failureCount == 1)
        state.failed(at: start, noAnswer: true)
        state.networkMayBeBack()
        #expect(state.mayTry(at: start) && state.failureCount == 0)
    }

    @Test(
        "only whole seconds of Retry-After count",
        arguments: [
            ("2", Duration.seconds(2)), ("0", .zero), ("-1", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("", nil),
            ("99999999999999999999", nil),
        ] as [(String, Duration?)])
    func header(text: String, wait: Duration?) {
        #expect(ServiceResponse(status: 503, retryAfter: text).retryAfter == wait)
    }
}
