import Foundation

/// The effect of a finger that drags a banner: how far the banner follows, and whether it is dismissed or expanded when
/// the finger lets go.
///
/// All lengths are points; negative is up.
package enum BannerDragGesture {
    /// The upward speed, in points a second, beyond which a gesture is a flick that dismisses the banner.
    static let flickSpeed: CGFloat = 750
    /// Dragged up by more than this, or by a third of its height if that is less, the banner is dismissed.
    static let dismissDistance: CGFloat = 75
    /// Pulled down by more than this, measured at the finger, the banner expands.
    static let expandDistance: CGFloat = 60

    /// The outcome when the finger lets the banner go.
    package enum Release: Sendable, Hashable {
        case dismiss
        case expand
        /// Back to where it rests.
        case settle
    }

    /// How far the banner follows a finger: all the way up, and down with growing resistance, |y|^0.7.
    package static func offset(translation: CGFloat) -> CGFloat {
        translation <= 0 ? translation : pow(translation, 0.7)
    }

    /// Decides what letting go means.
    ///
    /// - Parameters:
    ///   - translation: how far the finger has moved since it touched the banner.
    ///   - velocity: points a second.
    ///   - height: the banner's.
    /// - Returns: what becomes of the banner.
    package static func released(translation: CGFloat, velocity: CGFloat, height: CGFloat) -> Release {
        if velocity < -flickSpeed { return .dismiss }
        if -translation > min(dismissDistance, height * 0.33) { return .dismiss }
        return translation > expandDistance ? .expand : .settle
    }
}

/// The path of one finger over a banner, from its touches: how far, how fast, and whether it was a tap.
package struct TouchTrack: Sendable, Hashable {
    /// A finger that moves less than this, in points, taps.
    static let tapDistance: CGFloat = 10

    private struct Sample: Sendable, Hashable {
        let point: CGPoint
        let time: TimeInterval
    }

    private let start: Sample
    private var samples: [Sample]
    private var farthest: CGFloat = 0

    /// The finger touches.
    ///
    /// - Parameters:
    ///   - point: in the coordinates of the window: the banner itself moves along.
    ///   - time: `UITouch.timestamp`, in seconds.
    package init(at point: CGPoint, time: TimeInterval) {
        start = Sample(point: point, time: time)
        samples = [start]
    }

    /// The finger has moved, or is lifted; coordinates as in ``init(at:time:)``.
    package mutating func moved(to point: CGPoint, time: TimeInterval) {
        samples.append(Sample(point: point, time: time))
        if samples.count > BannerLimits.touchSamples { samples.removeFirst() }
        farthest = max(farthest, hypot(point.x - start.point.x, point.y - start.point.y))
    }

    /// Points since the touch; negative is up.
    package var translation: CGFloat { (samples.last ?? start).point.y - start.point.y }

    /// Points a second, over the last ``BannerLimits/touchSpeedSeconds``; negative is up.
    package var velocity: CGFloat {
        guard let last = samples.last else { return 0 }
        let recent = samples.first { last.time - $0.time <= BannerLimits.touchSpeedSeconds } ?? start
        let seconds = last.time - recent.time
        return seconds > 0 ? (last.point.y - recent.point.y) / CGFloat(seconds) : 0
    }

    package var isTap: Bool { farthest < Self.tapDistance }
}
