import CarillonDevice

extension ViewSnapshot {
    /// The drawing of the screen, without views that lie outside the screen, such as further rows of a long list.
    var withoutWhatIsOffScreen: ViewSnapshot { within(frame) }

    // `visible` is the visible part of the superview, in the superview's coordinates.
    private func within(_ visible: Frame) -> ViewSnapshot {
        // Keeps all subviews of a view with a transform, because the transform's effect is not computed.
        guard transform == nil else { return self }
        var visible = visible
        if clips { visible = visible.intersection(frame) }
        visible.x -= frame.x
        visible.y -= frame.y
        var copy = self
        copy.children = children.filter { $0.mayBeSeen(in: visible) }.map { $0.within(visible) }
        return copy
    }

    /// Returns whether part of the view may be visible.
    ///
    /// A transform may move the view, and subviews that are not clipped may lie elsewhere.
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
