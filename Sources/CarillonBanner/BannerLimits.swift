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
