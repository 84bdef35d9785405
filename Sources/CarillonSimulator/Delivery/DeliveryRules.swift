import CarillonCore

/// The rules of store-and-forward: which pushes APNs stores for unreachable devices, and for how long.
public struct DeliveryRules: Sendable, Hashable {
    /// A rule for how many pushes APNs stores for a device that it cannot reach.
    public enum StoragePolicy: String, Sendable, Hashable, CaseIterable, Codable {
        /// APNs stores one push for each app on a device: the newest, as Apple's documentation says.
        case onePerApp = "one"
        /// APNs stores one push for each collapse id of an app on a device: the newest, as Apple announced in June 2024.
        ///
        /// Pushes without a collapse id replace each other.
        case perCollapseID = "per-collapse-id"
    }

    /// The treatment of a stored push whose `apns-expiration` has passed when the device connects again.
    public enum Expiry: String, Sendable, Hashable, CaseIterable, Codable {
        /// A stored push whose `apns-expiration` has passed is discarded, as Apple promises.
        case strict
        /// A stored push whose `apns-expiration` has passed is delivered anyway, as a best-effort service may do.
        ///
        /// The app itself must check whether the push has expired.
        case late
    }

    /// A limit on pushes or requests: at most ``count`` of them are allowed in any period of the length ``window``.
    public struct Budget: Sendable, Hashable {
        /// The number of pushes or requests allowed in any period of the length ``window``; 1 or more.
        public var count: Int
        /// The length of the period in which at most ``count`` pushes or requests are allowed.
        public var window: Duration

        /// Makes a budget of `count` pushes or requests in any period of the length `window`.
        ///
        /// - Parameters:
        ///   - count: the number allowed. A number below 1 counts as 1.
        ///   - window: the length of the period.
        public init(count: Int, per window: Duration) {
            self.count = max(1, count)
            self.window = window
        }

        /// Three background pushes an hour.
        ///
        /// Apple: "Don't try to send more than two or three background notifications per hour" ([Pushing background
        /// updates](https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app)).
        public static let backgroundAsAppleAdvises = Budget(count: 3, per: .seconds(3600))
    }

    /// The rule for how many pushes are stored for a device.
    ///
    /// The default is one for each app.
    public var storage = StoragePolicy.onePerApp
    /// The treatment of a stored push that has expired.
    ///
    /// By default, the push is discarded.
    public var expiry = Expiry.strict
    /// The budget of background pushes for an app on one device.
    ///
    /// Once the budget is used up, only the newest background push is stored, and is delivered when the budget allows one more
    /// push.
    ///
    /// The default, `nil`, means no limit: the phones of CarillonDevice throttle themselves, like iPhones. For devices that do
    /// not throttle themselves, use ``Budget/backgroundAsAppleAdvises``.
    public var backgroundBudget: Budget?
    /// The budget of requests for one device token.
    ///
    /// Requests beyond the budget get TooManyRequests. The default, `nil`, means no limit, because Apple gives no figure.
    public var requestBudget: Budget?
    /// The time after an app's deletion for which APNs still answers 200 instead of 410.
    ///
    /// The default is zero.
    public var unregisteredDelay = Duration.zero

    /// The longest time for which a push is stored, even if its expiration is later: 30 days.
    ///
    /// Apple documents this upper bound ([Sending notification
    /// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    public static let longestStorage = Duration.seconds(30 * 24 * 3600)

    /// Makes the default rules, which follow Apple's documentation.
    public init() {}

    /// Returns the time until which a push that arrives now is stored; `nil` if it is not stored at all.
    func keptUntil(_ expiration: ExpirationHeader, at now: Timestamp) -> Timestamp? {
        let latest = now + Self.longestStorage
        return switch expiration {
        case .unspecified: latest
        case .oneAttempt: nil
        case .at(let moment): min(moment, latest)
        }
    }
}
