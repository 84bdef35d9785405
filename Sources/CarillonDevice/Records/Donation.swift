import CarillonCore

/// A message or a call that an app has donated to the system (`INInteraction.donate`).
public struct Donation: Sendable, Hashable {
    /// The app that has donated it.
    public let bundleID: String
    /// The interaction's identifier.
    public let identifier: String
    /// The interaction's group identifier; `nil` without one.
    public let groupIdentifier: String?
    /// Whether somebody sends it to the phone's owner, rather than the other way round.
    public let isIncoming: Bool
    /// `nil` for a message that the phone's owner sends.
    public let speaker: Speaker?
    /// The time of the donation, by the phone's clock.
    public let at: Timestamp
}
