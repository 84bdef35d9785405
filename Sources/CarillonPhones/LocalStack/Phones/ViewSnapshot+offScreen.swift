import CarillonDevice

extension ViewSnapshot {
    /// The screen without the views outside of it, such as the further rows of a long list.
    var withoutWhatIsOffScreen: ViewSnapshot { within(frame) }

    // `visible` is the visible part of this view's superview, in the superview's coordinates.
    private func within(_ visible: Frame) -> ViewSnapshot {
        // A transform's effect on subviews is not computed: all of them stay.
        guard transform == nil else { return self }
        var visible = visible
        if clips { visible = visible.intersection(frame) }
        visible.x -= frame.x
        visible.y -= frame.y
        var copy = self
        copy.children = children.filter { $0.mayBeSeen(in: visible) }.map { $0.within(visible) }
        return copy
    }

    /// Returns whether some of the view may be visible: a transform may move it, and without clipping, subviews may lie
    /// elsewhere.
    private func mayBeSeen(in visible: Frame) -> Bool {
        transform != nil || (!clips && !children.isEmpty) || frame.touches(visible)
    }
}

extension ViewSnapshot.Frame {
    fileprivate func touches(_ other: Self) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    fileprivate func intersection(_ other: Self) -> Self {
        var both = self
        both.x = max(x, other.x)
        both.y = max(y, other.y)
        both.width = max(0, min(x + width, other.x + other.width) - both.x)
        both.height = max(0, min(y + height, other.y + other.height) - both.y)
        return both
    }
}
