import Foundation

/// The rules by which a banner follows a dragging finger, and is dismissed or expanded when the finger lets go.
///
/// All lengths are points; negative is up.
package enum BannerDragGesture {
    /// The upward speed, in points a second, beyond which a gesture is a flick that dismisses the banner.
    static let flickSpeed: CGFloat = 750
    /// The upward distance beyond which a release dismisses the banner; if a third of the banner's height is less, that counts.
    static let dismissDistance: CGFloat = 75
    /// The downward distance of the finger beyond which a release expands the banner.
    static let expandDistance: CGFloat = 60

    /// The outcome for the banner when the finger lets go.
    package enum Release: Sendable, Hashable {
        case dismiss
        case expand
        /// The banner returns to its resting place.
        case settle
    }

    /// Returns how far the banner follows a finger: upwards fully, downwards with growing resistance, |y|^0.7.
    package static func offset(translation: CGFloat) -> CGFloat {
        translation <= 0 ? translation : pow(translation, 0.7)
    }

    /// Decides the outcome of a release.
    ///
    /// - Parameters:
    ///   - translation: the distance that the finger has moved since it touched the banner.
    ///   - velocity: the finger's speed, in points a second.
    ///   - height: the banner's height.
    /// - Returns: the outcome.
    package static func released(translation: CGFloat, velocity: CGFloat, height: CGFloat) -> Release {
        if velocity < -flickSpeed { return .dismiss }
        if -translation > min(dismissDistance, height * 0.33) { return .dismiss }
        return translation > expandDistance ? .expand : .settle
    }
}

/// The path of one finger over a banner: its distance, its speed, and whether it was a tap.
package struct TouchTrack: Sendable, Hashable {
    /// The distance, in points, below which a touch is a tap.
    static let tapDistance: CGFloat = 10

    private struct Sample: Sendable, Hashable {
        let point: CGPoint
        let time: TimeInterval
    }

    private let start: Sample
    private var samples: [Sample]
    private var farthest: CGFloat = 0

    /// Makes a track that begins where the finger touches the banner.
    ///
    /// - Parameters:
    ///   - point: the touched point in the window's coordinates, because the banner itself moves.
    ///   - time: `UITouch.timestamp`, in seconds.
    package init(at point: CGPoint, time: TimeInterval) {
        start = Sample(point: point, time: time)
        samples = [start]
    }

    /// Records that the finger has moved or is lifted, with coordinates as in ``init(at:time:)``.
    package mutating func moved(to point: CGPoint, time: TimeInterval) {
        samples.append(Sample(point: point, time: time))
        if samples.count > BannerLimits.touchSamples { samples.removeFirst() }
        farthest = max(farthest, hypot(point.x - start.point.x, point.y - start.point.y))
    }

    /// The finger's vertical distance since the touch, in points; negative is up.
    package var translation: CGFloat { (samples.last ?? start).point.y - start.point.y }

    /// The finger's speed in points a second, over the last ``BannerLimits/touchSpeedSeconds``; negative is up.
    package var velocity: CGFloat {
        guard let last = samples.last else { return 0 }
        let recent = samples.first { last.time - $0.time <= BannerLimits.touchSpeedSeconds } ?? start
        let seconds = last.time - recent.time
        return seconds > 0 ? (last.point.y - recent.point.y) / CGFloat(seconds) : 0
    }

    package var isTap: Bool { farthest < Self.tapDistance }
}
