/// The state of a Live Activity on one phone, as reports count it.
package enum ActivityPhoneState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The phone has registered no push-to-start token for this type, so the start waits.
    case waiting
    /// A push waits to be sent, or is on its way to APNs.
    case queued
    /// The start was accepted, and the phone has not registered the token for updates yet.
    case started
    /// APNs has accepted the newest state.
    case current
    /// APNs has rejected the newest push for good.
    case rejected
    /// The time in which it could be started is over.
    case expired
    /// The end waits until the phone registers its token.
    case ending
    /// It has ended, or it never began there.
    case ended
    /// The person has dismissed it, or the app has ended it.
    case gone
}
