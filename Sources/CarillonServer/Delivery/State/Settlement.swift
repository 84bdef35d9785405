import CarillonCore
import Foundation

/// The outcome of one claimed delivery, as its sender reports it.
package struct Settlement: Sendable, Hashable {
    /// The number of the delivery within the store.
    var number: Int64
    var purpose: PushPurpose
    /// The lease under which it was sent; a later owner's state is not touched.
    var lease: Lease
    /// The revision that was sent; a newer one in the store stays queued.
    var revision: Int
    var attempt: Int
    /// The time at which it was handed to APNs; `nil` if it never was.
    var sent: Timestamp?
    /// The time at which the outcome became known.
    var at: Timestamp
    /// The push's `apns-id`.
    var apnsID: UUID?
    package var outcome: SendOutcome
    /// A random number in `0..<1`, for the wait before a retry.
    var jitter: Double
    /// The removals that travelled in the push.
    var removals: [MessageID] = []
    /// The effect of the push on the number on the icon, if APNs has accepted it.
    package var badge = BadgeEffect.none
    /// The installation's id.
    ///
    /// A delivery that is kept in bits needs it, because ``number`` names its place, which another device may have by now.
    var device = ""

    package enum BadgeEffect: Sendable, Hashable {
        case none
        /// The push sets the user's unread count.
        case unread(Int)
        /// The push sets a number of the sender's, which the service does not touch.
        case sender
    }
}
