import Foundation

/// The banner's limits and durations.
///
/// The durations that an app may change are in `BannerTiming`.
package enum BannerLimits {
    /// The most banners that wait; beyond it the newest of the least urgent is dropped.
    package static let waiting = 20

    /// The duration of sliding or fading a banner in or out, in seconds.
    static let transitionSeconds: TimeInterval = 0.3

    /// The duration of a released banner's return to its resting place, in seconds.
    static let returnSeconds: TimeInterval = 0.1

    /// The number of recent finger positions that are kept to measure its speed.
    static let touchSamples = 20

    /// The period before the release over which a finger's speed is measured, in seconds.
    static let touchSpeedSeconds: TimeInterval = 0.1
}

/// The durations for which an in-app banner stays, waits and gives way.
package struct BannerTiming: Sendable, Hashable {
    /// How long a banner stays that the person does not touch.
    ///
    /// The default is 6 seconds; iOS shows its own for 4 to 6.
    package var onScreen = Duration.seconds(6)

    /// How long a banner stays while VoiceOver runs, because listening takes longer than reading.
    ///
    /// The default is 10 seconds.
    package var onScreenWithVoiceOver = Duration.seconds(10)

    /// The pause between two banners.
    ///
    /// The default is half a second.
    package var gap = Duration.milliseconds(500)

    /// How long a system notification covers the banner; this time does not count as shown.
    ///
    /// The default is 6 seconds.
    package var systemBanner = Duration.seconds(6)

    /// Makes the default timing.
    package init() {}
}
