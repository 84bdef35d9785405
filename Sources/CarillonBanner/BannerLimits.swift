import Foundation

/// The banner's limits and durations.
///
/// The durations that an app may change are in `BannerTiming`.
package enum BannerLimits {
    /// The greatest number of waiting banners; beyond this limit the newest of the least urgent banners is dropped.
    package static let waiting = 20

    /// The duration of sliding or fading a banner in or out, in seconds.
    static let transitionSeconds: TimeInterval = 0.3

    /// The duration of a released banner's return to its resting place, in seconds.
    static let returnSeconds: TimeInterval = 0.1

    /// The greatest number of the finger's latest positions that the banner keeps to measure the finger's speed.
    static let touchSamples = 20

    /// The length, in seconds, of the period over which the finger's speed is measured.
    ///
    /// The period ends at the time of the finger's latest position.
    static let touchSpeedSeconds: TimeInterval = 0.1
}

/// The durations of a banner: its time on screen, the pause before the next banner, and the time for which a system
/// notification covers it.
package struct BannerTiming: Sendable, Hashable {
    /// The time for which a banner stays on screen if the person does not touch it.
    ///
    /// The default is 6 seconds; iOS shows its own banners for 4 to 6 seconds.
    package var onScreen = Duration.seconds(6)

    /// The time for which a banner stays on screen while VoiceOver runs: listening takes longer than reading.
    ///
    /// The default is 10 seconds.
    package var onScreenWithVoiceOver = Duration.seconds(10)

    /// The pause between two banners.
    ///
    /// The default is half a second.
    package var gap = Duration.milliseconds(500)

    /// The time for which a system notification covers the banner; this time does not count towards the banner's time on screen.
    ///
    /// The default is 6 seconds.
    package var systemBanner = Duration.seconds(6)

    /// Makes the default timing.
    package init() {}
}
