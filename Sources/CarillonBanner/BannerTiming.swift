/// How long an in-app banner stays, waits and steps aside.
package struct BannerTiming: Sendable, Hashable {
    /// How long a banner stays that nobody touches.
    ///
    /// The default is 6 seconds; iOS shows its own for 4 to 6.
    package var onScreen = Duration.seconds(6)

    /// How long it stays while VoiceOver runs, because listening takes longer than reading.
    ///
    /// The default is 10 seconds.
    package var onScreenWithVoiceOver = Duration.seconds(10)

    /// The pause between two banners.
    ///
    /// The default is half a second.
    package var gap = Duration.milliseconds(500)

    /// How long a notification of the system covers the banner; that time does not count as shown.
    ///
    /// The default is 6 seconds.
    package var systemBanner = Duration.seconds(6)

    /// Makes the default timing.
    package init() {}
}
