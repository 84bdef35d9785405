import Foundation

/// Every bound and every duration of the banner; what an app may choose is in `BannerTiming`, the layout in ``BannerGeometry``.
package enum BannerLimits {
    /// Banners that wait; beyond this many the newest of the least urgent is dropped.
    package static let waiting = 20

    /// How long a banner takes to slide or fade in or out, in seconds.
    static let transitionSeconds: TimeInterval = 0.3

    /// How long a banner takes to return to its place when a finger lets it go, in seconds.
    static let returnSeconds: TimeInterval = 0.1

    /// The moves of a finger that are kept to measure its speed.
    static let touchSamples = 20

    /// The time before a finger lifts over which its speed is measured, in seconds.
    static let touchSpeedSeconds: TimeInterval = 0.1
}

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
