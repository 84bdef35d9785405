import CarillonCore
import Testing

@testable import CarillonAPNs

@Suite("A histogram of latencies")
struct LatencyHistogramTests {
    @Test("quantiles are right to a sixteenth, from a microsecond to an hour")
    func quantiles() {
        for seed in UInt64(1)...50 {
            var generator = SeededGenerator(seed: seed)
            var histogram = LatencyHistogram()
            var values: [Int] = []
            for _ in 0..<500 {
                let value = Int.random(in: 1...(1 << Int.random(in: 1...32, using: &generator)), using: &generator)
                values.append(value)
                histogram.record(.microseconds(value))
            }
            values.sort()
            for (fraction, rank) in [(0.5, 249), (0.9, 449), (0.998, 498), (1, 499)] {
                let exact = Duration.microseconds(values[rank])
                let quantile = histogram.quantile(fraction) ?? .zero
                #expect(quantile >= exact && quantile <= exact * 1.07 + .microseconds(1), "seed \(seed), \(fraction)")
            }
        }
    }

    @Test("nothing recorded has no quantile; what cannot be is counted at the ends")
    func edges() {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.5) == nil && histogram.count == 0 && histogram.longest == .zero)
        histogram.record(.seconds(-1))
        #expect(histogram.quantile(0.5) == .zero)
        histogram.record(.seconds(1_000_000_000))
        #expect(histogram.count == 2 && histogram.longest == .seconds(1_000_000_000))
        #expect(histogram.quantile(0) == .zero && histogram.quantile(2) == .microseconds(1 << 36 - 1))
    }

    @Test("what was there before can be taken away")
    func difference() {
        var histogram = LatencyHistogram()
        for _ in 0..<100 { histogram.record(.milliseconds(900)) }
        let before = histogram
        for _ in 0..<10 { histogram.record(.milliseconds(5)) }
        let difference = histogram.subtracting(before)
        #expect(difference.count == 10)
        #expect((difference.quantile(0.99) ?? .zero) < .milliseconds(6))
    }
}
