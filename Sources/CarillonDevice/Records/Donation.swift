import CarillonCore

/// A message or a call of which an app has told the system.
public struct Donation: Sendable, Hashable {
    public let bundleID: String
    public let identifier: String
    public let groupIdentifier: String?
    public let isIncoming: Bool
    /// `nil` for a message that the phone's owner sends.
    public let speaker: Speaker?
    public let at: Timestamp
}
