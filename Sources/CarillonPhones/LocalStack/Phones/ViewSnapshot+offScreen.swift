import CarillonDevice

extension ViewSnapshot {
    /// The screen without the views that lie beside it, as the rows of a long list do.
    var withoutWhatIsOffScreen: ViewSnapshot { within(frame) }

    // `visible` is what of this view's superview can be seen, in the superview's coordinates.
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

    /// A view that does not clip may have subviews elsewhere, and a transform may move it.
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
