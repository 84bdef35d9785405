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
            let taken = min(bucket.available(to: .single), Int.random(in: 0...(2 * rate), using: &generator))
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
            given += bucket.available(to: .single)
            bucket.take(bucket.available(to: .single))
        }
        #expect(given == 70)
    }

    @Test("says when there is enough, and then there is", arguments: [1, 3, 10, 999, 5000])
    func next(_ rate: Int) {
        var bucket = TokenBucket(perSecond: rate, at: noon)
        bucket.refill(at: noon)
        bucket.refill(at: bucket.next(for: .single))
        #expect(bucket.available(to: .single) == max(1, min(rate / 10, 125)))
        bucket.refill(at: bucket.next(for: .bulk))
        #expect(bucket.available(to: .bulk) == max(1, min(rate / 10, 125)))
    }

    @Test("leaves a tenth of a second's to single messages, and the rate is that of both together")
    func reserve() {
        var bucket = TokenBucket(perSecond: 50, at: noon)
        bucket.refill(at: noon + .seconds(1))
        #expect(bucket.available(to: .bulk) == 45)
        bucket.take(45)
        #expect(bucket.available(to: .bulk) == 0 && bucket.available(to: .single) == 5)
        bucket.take(5)
        #expect(bucket.available(to: .single) == 0)
        bucket.refill(at: noon + .milliseconds(1100))
        #expect(bucket.available(to: .bulk) == 0, "what single messages have taken comes first")
        #expect(bucket.available(to: .single) == 5)
        #expect(bucket.next(for: .bulk) == noon + .milliseconds(1200))
        let slow = TokenBucket(perSecond: 5, thousandths: 1000, at: noon)
        #expect(slow.available(to: .bulk) == 1, "where a tenth of a second has none, none is kept")
    }

    @Test("a clock that is set gives nothing, back, and one second's worth, forward")
    func clock() {
        var bucket = TokenBucket(perSecond: 5)
        bucket.refill(at: noon)
        bucket.take(5)
        bucket.refill(at: noon - .seconds(3600))
        #expect(bucket.available(to: .single) == 0)
        bucket.refill(at: noon + .seconds(3600))
        #expect(bucket.available(to: .single) == 5)
    }
}
