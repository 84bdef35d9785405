import CarillonCore

/// The knobs of store-and-forward.
public struct DeliveryRules: Sendable, Hashable {
    /// How many pushes APNs keeps for a device that it cannot reach.
    public enum StoragePolicy: String, Sendable, Hashable, CaseIterable, Codable {
        /// One per app and device, the newest: what Apple's documentation says.
        case onePerApp = "one"
        /// One per app, device and collapse id: what Apple announced in June 2024. Pushes without one share a place.
        case perCollapseID = "per-collapse-id"
    }

    /// What happens to a kept push whose `apns-expiration` has passed when the device comes back.
    public enum Expiry: String, Sendable, Hashable, CaseIterable, Codable {
        /// It is discarded: what Apple promises.
        case strict
        /// It is handed over all the same: what a best-effort service may do, and a guard in the app must catch.
        case late
    }

    /// So many within so long.
    public struct Budget: Sendable, Hashable {
        public var count: Int
        public var window: Duration

        /// - Parameters:
        ///   - count: 1 or more; brought into that range.
        ///   - window: a sliding one.
        public init(count: Int, per window: Duration) {
            self.count = max(1, count)
            self.window = window
        }

        /// "Don't try to send more than two or three background notifications per hour"
        /// ([Pushing background updates](https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app)).
        public static let backgroundAsAppleAdvises = Budget(count: 3, per: .seconds(3600))
    }

    /// The default is one per app and device.
    public var storage = StoragePolicy.onePerApp
    /// The default is strict.
    public var expiry = Expiry.strict
    /// How many background pushes an app gets on one device; beyond it only the newest is kept, until the window allows it.
    ///
    /// The default is `nil`, no throttle here: the phones of CarillonDevice throttle by themselves, as iPhones do. For
    /// devices that do not, use ``Budget/backgroundAsAppleAdvises``.
    public var backgroundBudget: Budget?
    /// How many requests a device token may get before senders are told TooManyRequests. The default is `nil`, no limit:
    /// Apple names no figure.
    public var requestBudget: Budget?
    /// How long after an app's deletion APNs goes on answering 200 before it answers 410. The default is zero.
    public var unregisteredDelay = Duration.zero

    /// No push is kept longer, whatever its expiration says.
    public static let longestStorage = Duration.seconds(30 * 24 * 3600)

    public init() {}

    /// Until when a push that arrives now is kept; `nil` when it is not kept at all.
    func keptUntil(_ expiration: ExpirationHeader, at now: Timestamp) -> Timestamp? {
        let latest = now + Self.longestStorage
        return switch expiration {
        case .unspecified: latest
        case .oneAttempt: nil
        case .at(let moment): min(moment, latest)
        }
    }
}
