import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Places of pushes to many beside single messages")
struct BulkPlacesTests {
    private var places = BulkPlaces(most: 1000)

    @Test("far from APNs, where answers vary by up to half of the fastest, nothing waits, and all places are left")
    mutating func farAway() {
        for second in 0..<60 {
            places.answered(after: .milliseconds(180 + second * 3 / 2), bulk: 1000, .seconds(second % 10))
        }
        #expect(places.count == 1000)
        places.answered(after: .milliseconds(271), bulk: 1000, .seconds(9))
        #expect(places.count == 875)
    }

    @Test("answers that come later than the fastest take places, down to the least")
    mutating func waiting() {
        places.answered(after: .milliseconds(2), bulk: 1000, .zero)
        places.answered(after: .milliseconds(12), bulk: 1000, .zero)
        #expect(places.count == 1000, "10 ms may be waited")
        places.answered(after: .milliseconds(13), bulk: 1000, .zero)
        #expect(places.count == 875)
        for _ in 0..<100 { places.answered(after: .milliseconds(40), bulk: 1000, .zero) }
        #expect(places.count == 250)
    }

    @Test("they come back a few at a time, and only where they are used")
    mutating func comingBack() {
        places.answered(after: .milliseconds(2), bulk: 1000, .zero)
        for _ in 0..<100 { places.answered(after: .milliseconds(40), bulk: 1000, .zero) }
        places.answered(after: .milliseconds(3), bulk: 124, .zero)
        #expect(places.count == 250)
        places.answered(after: .milliseconds(3), bulk: 125, .zero)
        #expect(places.count == 266)
        for _ in 0..<100 { places.answered(after: .milliseconds(3), bulk: 1000, .zero) }
        #expect(places.count == 1000)
    }

    @Test("a path that becomes slower is learned in twice the time that the fastest answer is remembered")
    mutating func slower() {
        places.answered(after: .milliseconds(2), bulk: 1000, .zero)
        places.answered(after: .milliseconds(100), bulk: 1000, .seconds(10))
        #expect(places.count == 875, "the one before is still known")
        places.answered(after: .milliseconds(100), bulk: 1000, .seconds(20))
        #expect(places.count == 891)
    }

    @Test("a loop with fewer places has no more, and none are lost")
    func few() {
        var places = BulkPlaces(most: 3)
        for _ in 0..<10 { places.answered(after: .seconds(1), bulk: 3, .zero) }
        places.answered(after: .zero, bulk: 3, .zero)
        places.answered(after: .seconds(1), bulk: 3, .zero)
        #expect(places.count == 3)
    }
}
