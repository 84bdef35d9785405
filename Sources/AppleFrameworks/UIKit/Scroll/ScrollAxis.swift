import Foundation

/// The lengths of a scroll view's content, visible area and insets in one direction, in points.
struct ScrollAxis: Hashable {
    var contentLength: CGFloat
    var visibleLength: CGFloat
    var insetBefore: CGFloat
    var insetAfter: CGFloat

    /// The content's movement as a fraction of the finger's movement, just after a finger has pulled the content beyond an end of
    /// the content.
    private static let give: CGFloat = 0.55

    /// The offsets at which scrolling can come to rest.
    var range: ClosedRange<CGFloat> {
        let first = -insetBefore
        return first...max(first, contentLength + insetAfter - visibleLength)
    }

    /// Whether there is more content than fits.
    var isScrollable: Bool { range.upperBound > range.lowerBound }

    func clamped(_ offset: CGFloat) -> CGFloat { min(max(offset, range.lowerBound), range.upperBound) }

    /// Returns the content's offset while a finger pulls the content to `offset`.
    ///
    /// Beyond an end, the content follows the finger less and less.
    func pulled(to offset: CGFloat) -> CGFloat {
        let end = clamped(offset)
        let beyond = abs(offset - end)
        guard beyond > 0, visibleLength > 0 else { return offset }
        let followed = beyond * Self.give * visibleLength / (visibleLength + Self.give * beyond)
        return offset < end ? end - followed : end + followed
    }

    /// Returns the offset at which the content comes to rest when the finger lets go.
    ///
    /// - Parameters:
    ///   - offset: the offset when the finger lets go.
    ///   - velocity: the velocity of the content, in points a second.
    ///   - rate: the factor by which the velocity shrinks in each millisecond.
    func rest(from offset: CGFloat, velocity: CGFloat, rate: CGFloat) -> CGFloat {
        clamped(offset + velocity / 1000 * rate / (1 - rate))
    }

    /// Returns the offset closest to `offset` at which the content from `start` to `end` is visible.
    ///
    /// If this part is longer than the visible area, its beginning is visible.
    func showing(from start: CGFloat, to end: CGFloat, at offset: CGFloat) -> CGFloat {
        if start < offset + insetBefore { return clamped(start - insetBefore) }
        let last = offset + visibleLength - insetAfter
        return end > last ? clamped(min(start - insetBefore, offset + end - last)) : offset
    }
}
