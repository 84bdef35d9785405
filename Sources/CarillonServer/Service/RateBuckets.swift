import CarillonCore

/// A quota that refills evenly.
struct Rate: Sendable, Hashable {
    /// The greatest amount that can be taken at once.
    var quota: Int
    /// The time in which an empty quota refills completely.
    var window: Duration

    fileprivate var perSecond: Double { Double(quota) / window.seconds }
}

/// A token bucket for each key, full at first.
///
/// The type remembers a bounded number of keys, in two halves. When the half with the recent keys is full, the type forgets the
/// other half. So the cost of a call does not grow with the number of keys.
struct RateBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var left: Double
        var at: Duration
    }

    let rate: Rate
    private let half: Int
    private var recent: [Key: Bucket] = [:]
    private var former: [Key: Bucket] = [:]

    /// Creates an empty set of buckets; a key gets a full bucket when it is first used.
    ///
    /// - Parameters:
    ///   - rate: the quota of each key.
    ///   - keys: the greatest number of keys to remember.
    init(_ rate: Rate, keys: Int) {
        self.rate = rate
        half = max(1, keys / 2)
    }

    /// Returns the time after which a caller may take an amount from a key's bucket; `nil` if the caller may take it now.
    ///
    /// An amount beyond the quota may be taken when the bucket is full.
    func wait(for amount: Int, of key: Key, at uptime: Duration) -> Duration? {
        let missing = Double(min(amount, rate.quota)) - filled(key, at: uptime)
        return missing > 0 ? .milliseconds(Int64((missing / rate.perSecond * 1000).rounded(.up))) : nil
    }

    /// Takes an amount from a key's bucket.
    ///
    /// The caller must call this function only after ``wait(for:of:at:)`` has returned `nil` for the amount.
    mutating func take(_ amount: Int, of key: Key, at uptime: Duration) {
        let left = filled(key, at: uptime) - Double(min(amount, rate.quota))
        former[key] = nil
        if recent[key] == nil, recent.count >= half { (former, recent) = (recent, [:]) }
        recent[key] = Bucket(left: left, at: uptime)
    }

    private func filled(_ key: Key, at uptime: Duration) -> Double {
        guard let bucket = recent[key] ?? former[key] else { return Double(rate.quota) }
        return min(Double(rate.quota), bucket.left + (uptime - bucket.at).seconds * rate.perSecond)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
