import CarillonCore
import Testing

@testable import CarillonServer

@Suite("A token bucket")
struct TokenBucketTests {
    @Test(
        "never gives more than its rate and one second's worth, however often it is asked", arguments: [1, 7, 50, 3000])
    func limit(_ rate: Int) {
        var generator = SeededGenerator(seed: UInt64(rate))
        var bucket = TokenBucket(perSecond: rate)
        var (now, given) = (noon, 0)
        while now < noon + .seconds(20) {
            now = now + .milliseconds(Int64.random(in: 1...40, using: &generator))
            bucket.refill(at: now)
            let taken = min(bucket.available, Int.random(in: 0...(2 * rate), using: &generator))
            bucket.take(taken)
            given += taken
            #expect(Int64(given) * 1000 <= Int64(rate) * ((now - noon).wholeMilliseconds + 2000))
        }
        #expect(given > rate * 10, "and it does give")
    }

    @Test("gives the whole rate to who asks all the time")
    func throughput() {
        var bucket = TokenBucket(perSecond: 7, at: noon)
        var given = 0
        for step in 1...10_000 {
            bucket.refill(at: noon + .milliseconds(step))
            given += bucket.available
            bucket.take(bucket.available)
        }
        #expect(given == 70)
    }

    @Test("says when there is enough, and then there is", arguments: [1, 3, 10, 999])
    func next(_ rate: Int) {
        var bucket = TokenBucket(perSecond: rate, at: noon)
        bucket.refill(at: noon)
        let next = bucket.next
        bucket.refill(at: next)
        #expect(bucket.available == max(1, rate / 10))
    }

    @Test("a clock that is set gives nothing, back, and one second's worth, forward")
    func clock() {
        var bucket = TokenBucket(perSecond: 5)
        bucket.refill(at: noon)
        bucket.take(5)
        bucket.refill(at: noon - .seconds(3600))
        #expect(bucket.available == 0)
        bucket.refill(at: noon + .seconds(3600))
        #expect(bucket.available == 5)
    }
}
