import Foundation

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
