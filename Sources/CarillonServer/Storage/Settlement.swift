import CarillonCore

/// What came of one claimed delivery, and what is to be written down about it.
package struct Settlement: Sendable, Hashable {
    package var number: Int64
    /// The revision that was sent; a newer one in the store stays queued.
    package var revision: Int
    package var attempt: Int
    /// When it was handed to APNs; `nil` when it never was.
    package var sent: Timestamp?
    /// When the outcome was known.
    package var at: Timestamp
    /// The push's `apns-id`, lower-case.
    package var apnsID: String?
    package var result: Result
    /// What an accepted push has done to the number on the icon.
    package var badge: BadgeEffect

    package enum BadgeEffect: Sendable, Hashable {
        case none
        /// The service's own number: the user's unread count.
        case unread(Int)
        /// A number of the sender's, which the service does not touch.
        case sender
    }

    package enum Result: Sendable, Hashable {
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
    package struct Rejection: Sendable, Hashable {
        package var reason: String
        package var status: Int

        package init(reason: String, status: Int) {
            self.reason = reason
            self.status = status
        }
    }

    /// What a rejection says about the device's token.
    package enum TokenVerdict: Sendable, Hashable {
        case unaffected
        /// No longer valid, unless it was registered after that moment.
        case invalidSince(Timestamp)
        /// Unknown to APNs: held back until it is registered again.
        case quarantined
    }

    package init(
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
