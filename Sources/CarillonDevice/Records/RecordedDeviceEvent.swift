import CarillonCore

/// A haptic of an app, or a VoiceOver announcement.
public struct RecordedDeviceEvent: Sendable, Hashable {
    /// The kind of event.
    public enum Kind: String, Sendable, Hashable { case haptic, announcement }

    /// The kind of the event: haptic or announcement.
    public let kind: Kind
    /// The kind of haptic, or the text that VoiceOver reads.
    public let text: String
    /// The app it came from.
    public let bundleID: String
    /// The time of the event, by the phone's clock.
    public let at: Timestamp
}
