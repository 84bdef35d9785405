import Foundation

/// One finger's way over a banner, from its touches: how far, how fast, and whether it was a tap.
public struct TouchTrack: Sendable, Hashable {
    /// A finger that moves less than this, in points, taps.
    public static let tapSlop: CGFloat = 10
    /// The speed is measured over the last moves within this many seconds.
    static let velocityWindowSeconds: TimeInterval = 0.1
    static let sampleLimit = 20

    private struct Sample: Sendable, Hashable {
        let point: CGPoint
        let time: TimeInterval
    }

    private let start: Sample
    private var samples: [Sample]
    private var farthest: CGFloat = 0

    public init(at point: CGPoint, time: TimeInterval) {
        start = Sample(point: point, time: time)
        samples = [start]
    }

    public mutating func moved(to point: CGPoint, time: TimeInterval) {
        samples.append(Sample(point: point, time: time))
        if samples.count > Self.sampleLimit { samples.removeFirst() }
        farthest = max(farthest, hypot(point.x - start.point.x, point.y - start.point.y))
    }

    /// Points since the touch; negative is up.
    public var translation: CGFloat { (samples.last ?? start).point.y - start.point.y }

    /// Points a second; negative is up.
    public var velocity: CGFloat {
        guard let last = samples.last else { return 0 }
        let recent = samples.first { last.time - $0.time <= Self.velocityWindowSeconds } ?? start
        let seconds = last.time - recent.time
        return seconds > 0 ? (last.point.y - recent.point.y) / CGFloat(seconds) : 0
    }

    public var isTap: Bool { farthest < Self.tapSlop }
}
