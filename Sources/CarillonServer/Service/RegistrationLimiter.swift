import CarillonCore

/// A limit on new installations a minute, from one address and to one app.
///
/// A value; its token buckets are full at first and fill up evenly.
package struct RegistrationLimiter: Sendable {
    /// The limits a minute; `nil` for no limit.
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
    /// - Returns: `nil` if it is admitted, else the time to wait and the limit that was reached.
    mutating func admit(from address: String?, to app: AppNumber, at now: Timestamp) -> Refusal? {
        var ofAddress: Bucket?
        let address = address.map(ClientAddress.network)
        if let limit = limits.perAddress, let address {
            let bucket = Self.filled(addresses[address], limit, now)
            guard bucket.left >= 1 else {
                // The bucket is stored, so that after a clock was set back it fills up from the new time.
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
        /// The seconds after which the next request is admitted, rounded up.
        var wait: Int
        /// Whether the limit of the address was reached, rather than the limit of the app.
        var isOfAddress: Bool
    }

    private static func filled(_ bucket: Bucket?, _ limit: Int, _ now: Timestamp) -> Bucket {
        guard let bucket else { return Bucket(left: Double(limit), at: now) }
        // A clock that was set back must not empty a bucket.
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
