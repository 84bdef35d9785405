import CarillonCore

/// The sound of a notification.
public struct PlayedSound: Sendable, Hashable {
    /// The file in the app, or `default`.
    public let name: String
    /// The app whose notification it is.
    public let bundleID: String
    /// The time at which the sound was played, by the phone's clock.
    public let at: Timestamp
}
