import Foundation

/// A view that scrolls larger content with a finger.
/// [UIScrollView](https://developer.apple.com/documentation/uikit/uiscrollview)
///
/// Differs from iOS: zooming, paging and scroll indicators are not supported. During deceleration the content offset is already
/// the final one, and the delegate is told once; only the drawing moves.
@MainActor @preconcurrency open class UIScrollView: UIView {
    open weak var delegate: (any UIScrollViewDelegate)?
    open var contentSize = CGSize.zero { didSet { if contentSize != oldValue { contentChanged() } } }
    open var contentInset = UIEdgeInsets.zero { didSet { adjustInset() } }
    /// The way in which the safe area widens the content's inset.
    ///
    /// The default adds the safe area above and below, and at the sides of a view that scrolls horizontally.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic { didSet { adjustInset() } }
    open private(set) var adjustedContentInset = UIEdgeInsets.zero
    open var isScrollEnabled = true
    /// Whether a finger can pull the content beyond the content's ends. The default is `true`.
    open var bounces = true
    /// Whether content that fits vertically bounces too. The default is `false`.
    open var alwaysBounceVertical = false
    /// Whether content that fits horizontally bounces too. The default is `false`.
    open var alwaysBounceHorizontal = false
    open var decelerationRate = DecelerationRate.normal
    open private(set) var isDragging = false
    open private(set) var isDecelerating = false
    public let panGestureRecognizer = UIPanGestureRecognizer()

    private var offsetAtStart = CGPoint.zero

    public override init(frame: CGRect) {
        super.init(frame: frame)
        clipsToBounds = true
        layer.masksToBounds = true
        panGestureRecognizer.addAction { [weak self] _ in self?.panned() }
        addGestureRecognizer(panGestureRecognizer)
    }

    public required init?(coder: NSCoder) { nil }

    /// The point of the content at the upper left corner of the view.
    open var contentOffset: CGPoint {
        get { bounds.origin }
        set { setContentOffset(newValue, animated: false) }
    }

    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        guard contentOffset != bounds.origin || isDecelerating else { return }
        guard animated else { return move(to: contentOffset) }
        UIView.animate(
            withDuration: Self.animationSeconds, delay: 0, options: [.curveEaseInOut, .allowUserInteraction]
        ) {
            move(to: contentOffset)
        } completion: { [weak self] finished in
            if let self, finished { delegate?.scrollViewDidEndScrollingAnimation(self) }
        }
    }

    /// Scrolls as little as is needed to show `rect` of the content.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
        setContentOffset(
            CGPoint(
                x: horizontal.showing(from: rect.minX, to: rect.maxX, at: contentOffset.x),
                y: vertical.showing(from: rect.minY, to: rect.maxY, at: contentOffset.y)), animated: animated)
    }

    open func adjustedContentInsetDidChange() {}

    // MARK: dragging

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard gestureRecognizer === panGestureRecognizer else {
            return super.gestureRecognizerShouldBegin(gestureRecognizer)
        }
        let way = panGestureRecognizer.translation(in: self)
        return isScrollEnabled && (abs(way.x) > abs(way.y) ? followsHorizontally : followsVertically)
    }

    /// Returns the scroll view itself while the content decelerates, because a touch then only stops the scrolling; otherwise
    /// returns the touched view.
    open override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let hit = super.hitTest(point, with: event)
        return isDecelerating && hit != nil ? self : hit
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        if isDecelerating { move(to: drawnOffset) }
        super.touchesBegan(touches, with: event)
    }

    /// Moves the content back into range if a touch has stopped it beyond an end.
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesEnded(touches, with: event)
        glide(to: restingPlace(.zero), .zero)
    }

    private var followsVertically: Bool { vertical.isScrollable || (bounces && alwaysBounceVertical) }
    private var followsHorizontally: Bool { horizontal.isScrollable || (bounces && alwaysBounceHorizontal) }

    private func panned() {
        switch panGestureRecognizer.state {
        case .began:
            offsetAtStart = contentOffset
            isDragging = true
            delegate?.scrollViewWillBeginDragging(self)
            drag()
        case .changed: drag()
        case .ended, .cancelled: letGo()
        case .possible, .failed: break
        }
    }

    private func drag() {
        let way = panGestureRecognizer.translation(in: self)
        let wanted = CGPoint(
            x: followsHorizontally ? offsetAtStart.x - way.x : offsetAtStart.x,
            y: followsVertically ? offsetAtStart.y - way.y : offsetAtStart.y)
        move(
            to: CGPoint(
                x: bounces ? horizontal.pulled(to: wanted.x) : horizontal.clamped(wanted.x),
                y: bounces ? vertical.pulled(to: wanted.y) : vertical.clamped(wanted.y)))
    }

    private func letGo() {
        isDragging = false
        let velocity = panGestureRecognizer.velocity(in: self)
        let rest = restingPlace(velocity)
        delegate?.scrollViewDidEndDragging(self, willDecelerate: rest != contentOffset)
        glide(to: rest, velocity)
    }

    private func restingPlace(_ velocity: CGPoint) -> CGPoint {
        let rate = decelerationRate.rawValue
        return CGPoint(
            x: horizontal.rest(from: contentOffset.x, velocity: followsHorizontally ? -velocity.x : 0, rate: rate),
            y: vertical.rest(from: contentOffset.y, velocity: followsVertically ? -velocity.y : 0, rate: rate))
    }

    private func glide(to rest: CGPoint, _ velocity: CGPoint) {
        isDecelerating = rest != contentOffset
        guard isDecelerating else { return }
        UIView.animate(
            withDuration: seconds(to: rest, velocity), delay: 0, options: [.curveEaseOut, .allowUserInteraction]
        ) {
            move(to: rest, decelerating: true)
        } completion: { [weak self] finished in
            guard let self, finished, isDecelerating else { return }
            isDecelerating = false
            delegate?.scrollViewDidEndDecelerating(self)
        }
    }

    /// Returns the duration of the animation that scrolls to `rest`, in seconds, 0.3…2.
    ///
    /// An ease-out begins with twice its mean velocity: 2 · distance / duration. The chosen duration makes this initial
    /// velocity equal to the finger's velocity.
    private func seconds(to rest: CGPoint, _ velocity: CGPoint) -> TimeInterval {
        let distance = rest.distance(to: contentOffset)
        let speed = velocity.distance(to: .zero)
        guard speed > 0 else { return Self.animationSeconds }
        return min(max(TimeInterval(2 * distance / speed), Self.animationSeconds), Self.longestGlideSeconds)
    }

    private static let animationSeconds: TimeInterval = 0.3
    private static let longestGlideSeconds: TimeInterval = 2

    // MARK: offset and insets

    private var vertical: ScrollAxis {
        ScrollAxis(
            contentLength: contentSize.height, visibleLength: bounds.height, insetBefore: adjustedContentInset.top,
            insetAfter: adjustedContentInset.bottom)
    }

    private var horizontal: ScrollAxis {
        ScrollAxis(
            contentLength: contentSize.width, visibleLength: bounds.width, insetBefore: adjustedContentInset.left,
            insetAfter: adjustedContentInset.right)
    }

    private func move(to offset: CGPoint, decelerating: Bool = false) {
        if !decelerating { isDecelerating = false }
        bounds = CGRect(origin: offset, size: bounds.size)
        delegate?.scrollViewDidScroll(self)
    }

    private func contentChanged() {
        adjustInset()
        stayInRange()
    }

    /// Moves the offset back into range after the content has shrunk.
    private func stayInRange() {
        guard !isDragging else { return }
        let inside = CGPoint(x: horizontal.clamped(contentOffset.x), y: vertical.clamped(contentOffset.y))
        if inside != contentOffset { move(to: inside) }
    }

    open override func safeAreaInsetsDidChange() {
        super.safeAreaInsetsDidChange()
        adjustInset()
    }

    /// Computes the adjusted inset again. Content that is scrolled to its beginning stays there, even if bars now cover more.
    private func adjustInset() {
        let old = adjustedContentInset
        let new = contentInset.adding(safeAreaThatCounts)
        guard new != old, isDrawable(CGRect(x: new.left, y: new.top, width: new.right, height: new.bottom)) else {
            return
        }
        let isAtTop = contentOffset.y <= -old.top
        let isAtLeft = contentOffset.x <= -old.left
        adjustedContentInset = new
        let offset = CGPoint(
            x: isAtLeft ? -new.left : horizontal.clamped(contentOffset.x),
            y: isAtTop ? -new.top : vertical.clamped(contentOffset.y))
        if offset != contentOffset { move(to: offset) }
        adjustedContentInsetDidChange()
        delegate?.scrollViewDidChangeAdjustedContentInset(self)
    }

    private var safeAreaThatCounts: UIEdgeInsets {
        var area = safeAreaInsets
        let (isWide, isHigh) = (contentSize.width > bounds.width, contentSize.height > bounds.height)
        switch contentInsetAdjustmentBehavior {
        case .never: return .zero
        case .always: return area
        case .automatic: if !isWide { (area.left, area.right) = (0, 0) }
        case .scrollableAxes:
            if !isWide, !alwaysBounceHorizontal { (area.left, area.right) = (0, 0) }
            if !isHigh, !alwaysBounceVertical { (area.top, area.bottom) = (0, 0) }
        }
        return area
    }
}

extension UIEdgeInsets {
    fileprivate func adding(_ other: UIEdgeInsets) -> UIEdgeInsets {
        UIEdgeInsets(
            top: top + other.top, left: left + other.left, bottom: bottom + other.bottom, right: right + other.right)
    }
}

extension UIApplication {
    /// Scrolls a view into sight, as VoiceOver does.
    ///
    /// - Parameter viewID: the ID of a view in one of the app's windows; any other ID changes nothing.
    @_spi(Simulation) public func reveal(_ viewID: Int) {
        guard let view = windowsBackToFront.lazy.compactMap({ $0.descendant(viewID) }).first else { return }
        var holder = view.superview
        while let current = holder {
            if let scroll = current as? UIScrollView {
                scroll.scrollRectToVisible(scroll.convert(view.bounds, from: view), animated: false)
            }
            holder = current.superview
        }
    }
}

extension UIView {
    fileprivate func descendant(_ viewID: Int) -> UIView? {
        if self.viewID == viewID { return self }
        for view in subviews { if let found = view.descendant(viewID) { return found } }
        return nil
    }
}
