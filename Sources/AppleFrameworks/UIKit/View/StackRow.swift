import Foundation

/// The layout of a stack view's views along its axis, from their natural lengths.
struct Row {
    struct Span: Equatable {
        var start: CGFloat
        var length: CGFloat
    }

    let natural: [CGFloat]
    /// The gaps between the views: one fewer than there are views.
    let gaps: [CGFloat]
    let room: CGFloat
    let distribution: UIStackView.Distribution

    var spans: [Span] {
        let lengths = lengths
        let gaps = gapsInUse(lengths)
        var start: CGFloat = 0
        return lengths.enumerated().map { index, length in
            defer { start += length + (index < gaps.count ? gaps[index] : 0) }
            return Span(start: start, length: length)
        }
    }

    private var lengths: [CGFloat] {
        let free = room - gaps.reduce(0, +)
        let total = natural.reduce(0, +)
        switch distribution {
        case .fillEqually: return natural.map { _ in max(0, free) / CGFloat(natural.count) }
        case .fillProportionally where total > 0: return natural.map { max(0, free) * $0 / total }
        case .fill: return natural.dropLast() + [max(0, (natural.last ?? 0) + free - total)]
        default: return natural
        }
    }

    /// Returns the gaps between the views; no gap is smaller than requested.
    private func gapsInUse(_ lengths: [CGFloat]) -> [CGFloat] {
        guard !gaps.isEmpty else { return [] }
        let left = room - lengths.reduce(0, +)
        switch distribution {
        case .equalSpacing: return gaps.map { max($0, left / CGFloat(gaps.count)) }
        case .equalCentering:
            let step = (room - (lengths[0] + lengths[lengths.count - 1]) / 2) / CGFloat(gaps.count)
            return gaps.enumerated().map { max($1, step - (lengths[$0] + lengths[$0 + 1]) / 2) }
        default: return gaps
        }
    }
}
