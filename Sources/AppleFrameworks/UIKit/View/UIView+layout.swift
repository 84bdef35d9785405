import Foundation

extension UIView {
    /// Tells the view and its controller if the safe area has changed since they were last told.
    func noticeSafeArea() {
        isSafeAreaOld = false
        let insets = safeAreaInsets
        guard insets != lastSafeArea else { return }
        lastSafeArea = insets
        safeAreaInsetsDidChange()
        viewController?.viewSafeAreaInsetsDidChange()
    }

    /// Marks the view and its subviews for a new layout, because the screen was rotated.
    func surroundingsChanged() {
        isSafeAreaOld = true
        setNeedsLayout()
        for view in subviews { view.surroundingsChanged() }
    }

    /// The insets that the bars of the surrounding controllers add to the screen's insets.
    var barsAround: UIEdgeInsets {
        var insets = UIEdgeInsets.zero
        var view: UIView? = self
        var controller: UIViewController?
        while let current = view, controller == nil {
            controller = current.viewController
            view = current.superview
        }
        while let current = controller?.parent {
            if current is UINavigationController { insets.top = UINavigationBar.height }
            if current is UITabBarController { insets.bottom = UITabBar.height }
            controller = current
        }
        return insets
    }

    /// Adapts the frame to a change of the superview's size, as the autoresizing mask determines.
    ///
    /// The flexible margins and lengths share the change in proportion to their current sizes.
    func autoresize(from old: CGSize, to new: CGSize) {
        let mask = autoresizingMask
        let across = Span(start: frame.minX, length: frame.width, room: old.width).resized(
            to: new.width, mask.contains(.flexibleLeftMargin), mask.contains(.flexibleWidth),
            mask.contains(.flexibleRightMargin))
        let down = Span(start: frame.minY, length: frame.height, room: old.height).resized(
            to: new.height, mask.contains(.flexibleTopMargin), mask.contains(.flexibleHeight),
            mask.contains(.flexibleBottomMargin))
        let place = CGRect(x: across.start, y: down.start, width: across.length, height: down.length)
        if place != frame { frame = place }
    }
}

/// A view's position and length in its superview, in one direction.
private struct Span {
    var start: CGFloat
    var length: CGFloat
    var room: CGFloat

    func resized(to newRoom: CGFloat, _ before: Bool, _ inside: Bool, _ after: Bool) -> Span {
        let flexible = [before ? start : nil, inside ? length : nil, after ? room - start - length : nil]
        let present = flexible.compactMap(\.self)
        guard !present.isEmpty else { return Span(start: start, length: length, room: newRoom) }
        let total = present.reduce(0, +)
        let isEven = total <= 0 || present.contains { $0 < 0 }
        func share(_ part: CGFloat?) -> CGFloat {
            guard let part else { return 0 }
            return (newRoom - room) * (isEven ? 1 / CGFloat(present.count) : part / total)
        }
        return Span(start: start + share(flexible[0]), length: length + share(flexible[1]), room: newRoom)
    }
}
