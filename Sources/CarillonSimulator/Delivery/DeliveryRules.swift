import CarillonCore

/// The rules of store-and-forward: the pushes that APNs keeps for unreachable devices, and for how long.
public struct DeliveryRules: Sendable, Hashable {
    /// The number of pushes that APNs keeps for a device that it cannot reach.
    public enum StoragePolicy: String, Sendable, Hashable, CaseIterable, Codable {
        /// One per app and device, the newest, as Apple's documentation says.
        case onePerApp = "one"
        /// One per app, device and collapse id, as Apple announced in June 2024; pushes without one replace each other.
        case perCollapseID = "per-collapse-id"
    }

    /// The treatment of a kept push whose `apns-expiration` has passed when the device comes back.
    public enum Expiry: String, Sendable, Hashable, CaseIterable, Codable {
        /// The push is discarded, as Apple promises.
        case strict
        /// The push is handed over all the same, as a best-effort service may do; a guard in the app must catch it.
        case late
    }

    /// A number of pushes or requests within a sliding window.
    public struct Budget: Sendable, Hashable {
        /// The number of pushes or requests allowed within the window, 1 or more.
        public var count: Int
        /// The length of the window.
        public var window: Duration

        /// A budget of `count` pushes or requests within a sliding window.
        ///
        /// - Parameters:
        ///   - count: 1 or more; brought into that range.
        ///   - window: the time for which each one counts.
        public init(count: Int, per window: Duration) {
            self.count = max(1, count)
            self.window = window
        }

        /// "Don't try to send more than two or three background notifications per hour"
        /// ([Pushing background updates](https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app)).
        public static let backgroundAsAppleAdvises = Budget(count: 3, per: .seconds(3600))
    }

    /// The number of pushes that are kept for a device; the default is one per app.
    public var storage = StoragePolicy.onePerApp
    /// The treatment of a kept push that has expired; the default is that it is discarded.
    public var expiry = Expiry.strict
    /// The budget of background pushes for an app on one device.
    ///
    /// Above it only the newest is kept until the window allows it.
    ///
    /// The default is `nil`, no throttle here: the phones of CarillonDevice throttle by themselves, as iPhones do. For
    /// devices that do not, use ``Budget/backgroundAsAppleAdvises``.
    public var backgroundBudget: Budget?
    /// The budget of requests for a device token, above which senders are told TooManyRequests.
    ///
    /// The default is `nil`, no limit: Apple names no figure.
    public var requestBudget: Budget?
    /// The time after an app's deletion in which APNs still answers 200 instead of 410; the default is zero.
    public var unregisteredDelay = Duration.zero

    /// The longest time that a push is kept, whatever its expiration says: 30 days, Apple's upper bound
    /// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    public static let longestStorage = Duration.seconds(30 * 24 * 3600)

    /// Makes the default rules, which follow Apple's documentation.
    public init() {}

    /// Returns the time until which a push that arrives now is kept; `nil` when it is not kept at all.
    func keptUntil(_ expiration: ExpirationHeader, at now: Timestamp) -> Timestamp? {
        let latest = now + Self.longestStorage
        return switch expiration {
        case .unspecified: latest
        case .oneAttempt: nil
        case .at(let moment): min(moment, latest)
        }
    }
}
