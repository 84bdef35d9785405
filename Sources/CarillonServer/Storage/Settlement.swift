import CarillonCore

/// What came of one claimed delivery, and what is to be written down about it.
package struct Settlement: Sendable, Hashable {
    var number: Int64
    /// The revision that was sent; a newer one in the store stays queued.
    var revision: Int
    var attempt: Int
    /// When it was handed to APNs; `nil` when it never was.
    var sent: Timestamp?
    /// When the outcome was known.
    var at: Timestamp
    /// The push's `apns-id`, lower-case.
    var apnsID: String?
    var result: Result
    /// What an accepted push has done to the number on the icon.
    package var badge = BadgeEffect.none

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
}
