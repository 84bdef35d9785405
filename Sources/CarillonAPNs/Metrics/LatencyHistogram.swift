/// The durations of pushes, counted in buckets; a long duration falls into a wide bucket, a short one into a narrow bucket.
///
/// The histogram has a fixed size of some five hundred buckets. Its quantiles are accurate to about 6 %.
public struct LatencyHistogram: Sendable, Hashable {
    private static let steps = 1 << ClientLimits.latencyStepBits

    private var counts: [UInt32] = []
    /// The number of recorded durations.
    public private(set) var count = 0
    /// The longest recorded duration; zero if there is none.
    public private(set) var longest: Duration = .zero

    /// Makes an empty histogram.
    public init() {}

    /// Counts one duration.
    ///
    /// - Parameter latency: the duration. A negative duration counts as zero.
    public mutating func record(_ latency: Duration) {
        let (seconds, attoseconds) = latency.components
        let microseconds = seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
        let longestMicroseconds = ClientLimits.longestLatencyMicroseconds
        let bucket = Self.bucket(min(max(Int(microseconds), 0), longestMicroseconds))
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.bucket(longestMicroseconds) + 1) }
        counts[bucket] &+= 1
        count += 1
        if latency > longest { longest = latency }
    }

    /// Returns the duration that a given fraction of all recorded durations does not exceed; `nil` if no duration is recorded.
    ///
    /// - Parameter fraction: the fraction, 0–1. The fraction 0.5 gives the median.
    /// - Returns: the upper end of the bucket, which is at most 6 % too long.
    public func quantile(_ fraction: Double) -> Duration? {
        guard count > 0 else { return nil }
        let rank = max(1, Int((Double(count) * min(max(fraction, 0), 1)).rounded(.up)))
        var seen = 0
        for (bucket, number) in counts.enumerated() {
            seen += Int(number)
            if seen >= rank { return min(.microseconds(Self.end(of: bucket)), longest) }
        }
        return longest
    }

    /// Returns the durations recorded since an older value of this histogram.
    ///
    /// - Parameter earlier: the older value.
    /// - Returns: the difference. Its ``longest`` is the longest duration in this histogram, because the longest duration in
    ///   the difference is not known.
    public func subtracting(_ earlier: LatencyHistogram) -> LatencyHistogram {
        var difference = self
        for (bucket, number) in earlier.counts.enumerated() where bucket < difference.counts.count {
            difference.counts[bucket] &-= number
        }
        difference.count -= earlier.count
        return difference
    }

    /// Returns the number of the bucket that counts a duration, which is given in microseconds.
    ///
    /// The first 16 buckets are a microsecond wide. From there on, every doubling of the duration has 16 buckets.
    private static func bucket(_ microseconds: Int) -> Int {
        guard microseconds >= steps else { return microseconds }
        let shift = Int.bitWidth - 1 - microseconds.leadingZeroBitCount - ClientLimits.latencyStepBits
        return (shift + 1) * steps + (microseconds >> shift) - steps
    }

    /// Returns the longest duration that a bucket counts, in microseconds.
    private static func end(of bucket: Int) -> Int {
        guard bucket >= steps else { return bucket }
        let shift = bucket / steps - 1
        return (bucket % steps + steps + 1) << shift - 1
    }
}
