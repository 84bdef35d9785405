import CarillonCore

/// What came of one claimed delivery, and what is to be written down about it.
public struct Settlement: Sendable, Hashable {
    public var number: Int64
    /// The revision that was sent; a newer one in the store stays queued.
    public var revision: Int
    public var attempt: Int
    /// When it was handed to APNs; `nil` when it never was.
    public var sent: Timestamp?
    /// When the outcome was known.
    public var at: Timestamp
    /// The push's `apns-id`, lower-case.
    public var apnsID: String?
    public var result: Result
    /// What an accepted push has done to the number on the icon.
    public var badge: BadgeEffect

    public enum BadgeEffect: Sendable, Hashable {
        case none
        /// The service's own number: the user's unread count.
        case unread(Int)
        /// A number of the sender's, which the service does not touch.
        case sender
    }

    public enum Result: Sendable, Hashable {
        /// - fallbackDue: when the visible push is to follow (assured messages).
        case accepted(fallbackDue: Timestamp?)
        case rejected(Rejection, TokenVerdict)
        /// To be tried again. `rejection` is what APNs said, if it said anything.
        case retry(at: Timestamp, rejection: Rejection?, mayHaveArrived: Bool)
        /// Given up: its answers never came.
        case unanswered
        /// Not to be sent: what is wrong with it cannot be cured by trying again.
        case cancelled(String)
    }

    /// What APNs said.
    public struct Rejection: Sendable, Hashable {
        public var reason: String
        public var status: Int

        public init(reason: String, status: Int) {
            self.reason = reason
            self.status = status
        }
    }

    /// What a rejection says about the device's token.
    public enum TokenVerdict: Sendable, Hashable {
        case unaffected
        /// No longer valid, unless it was registered after that moment.
        case invalidSince(Timestamp)
        /// Unknown to APNs: held back until it is registered again.
        case quarantined
    }

    public init(
        number: Int64, revision: Int, attempt: Int, sent: Timestamp?, at: Timestamp, apnsID: String?, result: Result,
        badge: BadgeEffect = .none
    ) {
        self.number = number
        self.revision = revision
        self.attempt = attempt
        self.sent = sent
        self.at = at
        self.apnsID = apnsID
        self.result = result
        self.badge = badge
    }
}
