import CarillonCore

/// What only a hand or an ear notices.
public struct RecordedDeviceEvent: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable { case haptic, announcement }

    public let kind: Kind
    /// The kind of haptic, or the text that VoiceOver reads.
    public let text: String
    public let bundleID: String
    public let at: Timestamp
}
