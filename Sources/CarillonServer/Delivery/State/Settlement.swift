import CarillonCore
import Foundation

/// What came of one claimed delivery, as its sender tells it.
package struct Settlement: Sendable, Hashable {
    /// The delivery within the store.
    var number: Int64
    var purpose: PushPurpose
    /// Under which lease it was sent; a later owner's state is not touched.
    var lease: Lease
    /// The revision that was sent; a newer one in the store stays queued.
    var revision: Int
    var attempt: Int
    /// When it was handed to APNs; `nil` when it never was.
    var sent: Timestamp?
    /// When the outcome was known.
    var at: Timestamp
    /// The push's `apns-id`.
    var apnsID: UUID?
    package var outcome: SendOutcome
    /// Chance in `0..<1`, for the wait before a retry.
    var jitter: Double
    /// The removals that travelled in the push.
    var removals: [MessageID] = []
    /// What the push does to the number on the icon, if APNs has accepted it.
    package var badge = BadgeEffect.none
    /// The installation's id: where it is kept in bits, the number names its place, and another may have that by now.
    var device = ""

    package enum BadgeEffect: Sendable, Hashable {
        case none
        /// The service's own number: the user's unread count.
        case unread(Int)
        /// A number of the sender's, which the service does not touch.
        case sender
    }
}
