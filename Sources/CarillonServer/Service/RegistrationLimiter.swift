import CarillonCore

/// Limits new installations per minute, from one address and for one app.
///
/// It is a value; its token buckets are full at first and refill evenly.
package struct RegistrationLimiter: Sendable {
    /// The limits per minute; `nil` for no limit.
    package struct Limits: Sendable, Hashable {
        package var perAddress: Int?
        package var perApp: Int?

        package init(perAddress: Int?, perApp: Int?) {
            self.perAddress = perAddress
            self.perApp = perApp
        }

        /// No limits.
        package static let none = Limits(perAddress: nil, perApp: nil)
        package static let standard = Limits(
            perAddress: ServiceLimits.registrationsPerAddress, perApp: ServiceLimits.registrationsPerApp)
    }

    private struct Bucket {
        var left: Double
        var at: Timestamp
    }

    private let limits: Limits
    private var addresses: [String: Bucket] = [:]
    private var apps: [AppNumber: Bucket] = [:]

    init(_ limits: Limits) { self.limits = limits }

    /// Counts a request for a new installation.
    ///
    /// - Returns: `nil` if the request is admitted; otherwise the limit that was reached and the time to wait.
    mutating func admit(from address: String?, to app: AppNumber, at now: Timestamp) -> Refusal? {
        var ofAddress: Bucket?
        let address = address.map(ClientAddress.network)
        if let limit = limits.perAddress, let address {
            let bucket = Self.filled(addresses[address], limit, now)
            guard bucket.left >= 1 else {
                // The bucket is stored even on refusal, so that after the clock is set back it refills from the new time.
                addresses[address] = bucket
                return Refusal(wait: Self.wait(bucket, limit), isOfAddress: true)
            }
            ofAddress = bucket
        }
        if let limit = limits.perApp {
            var bucket = Self.filled(apps[app], limit, now)
            let isFull = bucket.left < 1
            if !isFull { bucket.left -= 1 }
            apps[app] = bucket
            if isFull { return Refusal(wait: Self.wait(bucket, limit), isOfAddress: false) }
        }
        if let address, var bucket = ofAddress {
            bucket.left -= 1
            makeRoom(for: address)
            addresses[address] = bucket
        }
        return nil
    }

    struct Refusal: Sendable, Hashable {
        /// The seconds until the next request is admitted, rounded up.
        var wait: Int
        /// Whether the limit of the address was reached, rather than the limit of the app.
        var isOfAddress: Bool
    }

    private static func filled(_ bucket: Bucket?, _ limit: Int, _ now: Timestamp) -> Bucket {
        guard let bucket else { return Bucket(left: Double(limit), at: now) }
        // A clock that is set back must not empty a bucket.
        let passed = max(0, Double(now.millisecondsSince1970 - bucket.at.millisecondsSince1970) / 60_000)
        return Bucket(left: min(Double(limit), bucket.left + passed * Double(limit)), at: now)
    }

    private static func wait(_ bucket: Bucket, _ limit: Int) -> Int {
        max(1, Int(((1 - bucket.left) * 60 / Double(limit)).rounded(.up)))
    }

    private mutating func makeRoom(for address: String) {
        guard addresses[address] == nil, addresses.count >= ServiceLimits.countedAddresses,
            let oldest = addresses.min(by: { $0.value.at < $1.value.at })?.key
        else { return }
        addresses[oldest] = nil
    }
}
