/// How long an in-app banner stays, waits and steps aside.
public struct BannerTiming: Sendable, Hashable {
    /// How long a banner stays that nobody touches.
    ///
    /// The default is 6 seconds; iOS shows its own for 4 to 6.
    public var onScreen = Duration.seconds(6)

    /// How long it stays while VoiceOver runs, because listening takes longer than reading.
    ///
    /// The default is 10 seconds.
    public var onScreenWithVoiceOver = Duration.seconds(10)

    /// The pause between two banners.
    ///
    /// The default is half a second.
    public var gap = Duration.milliseconds(500)

    /// How long a notification of the system covers the banner; that time does not count as shown.
    ///
    /// The default is 6 seconds.
    public var systemBanner = Duration.seconds(6)

    /// Makes the default timing.
    public init() {}
}
