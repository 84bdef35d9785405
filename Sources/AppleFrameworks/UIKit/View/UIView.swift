import Foundation
@_spi(Simulation) import UserNotifications

/// A rectangle on the screen.
/// [UIView](https://developer.apple.com/documentation/uikit/uiview)
///
/// Differs from iOS: only frames and autoresizing determine the layout; there are no constraints. `contentMode`, `isOpaque` and
/// `translatesAutoresizingMaskIntoConstraints` are stored without effect.
@MainActor @preconcurrency open class UIView: UIResponder {
    private(set) var storedBounds: CGRect
    private(set) var storedCenter: CGPoint
    private var needsLayout = true

    public private(set) weak var superview: UIView?
    public private(set) var subviews: [UIView] = []
    public private(set) lazy var layer = CALayer(view: self)

    open var backgroundColor: UIColor? { didSet { changed() } }
    open var tintColor: UIColor = .systemBlue { didSet { changed() } }
    /// The opacity, 0…1. Below 0.01 the view takes no touches.
    open var alpha: CGFloat = 1 { didSet { animated("alpha", from: oldValue, to: alpha) } }
    open var isHidden = false {
        didSet {
            changed()
            if isHidden != oldValue { (superview as? UIStackView)?.setNeedsLayout() }
        }
    }
    open var isOpaque = true
    open var clipsToBounds = false { didSet { layer.masksToBounds = clipsToBounds } }
    open var isUserInteractionEnabled = true
    open var tag = 0
    open var transform = CGAffineTransform.identity {
        willSet { frameBeforeTransform = frame }
        didSet { animated("frame", from: frameBeforeTransform, to: frame) }
    }
    private var frameBeforeTransform = CGRect.zero
    /// The light or dark style that the view and its subviews use instead of the surrounding style.
    ///
    /// The default is unspecified: the style of the superview applies, or the phone's style if no superview overrides it.
    @available(iOS 13, *)
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified {
        didSet { if overrideUserInterfaceStyle != oldValue { changed() } }
    }
    open var contentMode = ContentMode.scaleToFill
    open var autoresizingMask: AutoresizingMask = []
    /// Whether the autoresizing mask becomes constraints. Stored without effect, because there are no constraints.
    open var translatesAutoresizingMaskIntoConstraints = true
    open private(set) var gestureRecognizers: [UIGestureRecognizer]?

    open var accessibilityLabel: String?
    open var accessibilityHint: String?
    open var accessibilityIdentifier: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var isAccessibilityElement = false
    open var accessibilityViewIsModal = false

    /// Ends the editing of a text in this view or its subviews.
    ///
    /// - Parameter force: whether editing ends even if the text view refuses to end it.
    /// - Returns: whether no text in this view or its subviews is being edited any more.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        guard let edited = process?.application.firstResponder as? UIView, edited.isDescendant(of: self) else {
            return true
        }
        let isOver = edited.resignFirstResponder()
        if force, !isOver { process?.application.firstResponder = nil }
        return isOver || force
    }

    /// Performs VoiceOver's two-finger scrub. The default does nothing.
    open func accessibilityPerformEscape() -> Bool { false }
    /// Performs VoiceOver's double tap on the view; if it returns `false`, the phone taps the middle of the view.
    open func accessibilityActivate() -> Bool { false }

    /// Called when VoiceOver's focus has moved to the view.
    ///
    /// Differs from iOS: the phone has no VoiceOver focus; a test calls this method.
    open func accessibilityElementDidBecomeFocused() {}
    /// Called when VoiceOver's focus has left the view.
    open func accessibilityElementDidLoseFocus() {}

    weak var viewController: UIViewController?
    var lastSafeArea = UIEdgeInsets.zero
    var isSafeAreaOld = true
    var animations: [String: RunningAnimation] = [:]
    /// The view's ID in a drawing of the screen; no other view of the phone gets this ID.
    @_spi(Simulation) public let viewID = UIView.nextID()

    public init(frame: CGRect) {
        storedBounds = CGRect(origin: .zero, size: frame.size)
        storedCenter = CGPoint(x: frame.midX, y: frame.midY)
        super.init()
        if !isDrawable(frame) { (storedBounds, storedCenter) = (.zero, .zero) }
    }

    public override convenience init() { self.init(frame: .zero) }

    /// Always returns `nil`, because a phone decodes no storyboards.
    public required init?(coder: NSCoder) { nil }

    open var frame: CGRect {
        get {
            let size = bounds.size
            let local = CGRect(x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
            return local.applying(transform).offsetBy(dx: center.x, dy: center.y)
        }
        set {
            guard isDrawable(newValue) else { return }
            let old = frame
            setSize(newValue.size)
            storedCenter = CGPoint(x: newValue.midX, y: newValue.midY)
            animated("frame", from: old, to: newValue)
        }
    }

    open var bounds: CGRect {
        get { storedBounds }
        set {
            guard isDrawable(newValue) else { return }
            let old = storedBounds.origin
            setSize(newValue.size)
            storedBounds = newValue
            animated("origin", from: CGRect(origin: old, size: .zero), to: CGRect(origin: newValue.origin, size: .zero))
        }
    }

    open var center: CGPoint {
        get { storedCenter }
        set {
            guard isDrawable(CGRect(origin: newValue, size: .zero)) else { return }
            let old = frame
            storedCenter = newValue
            animated("frame", from: old, to: frame)
        }
    }

    /// Returns whether the rectangle consists of numbers; a rectangle with NaN ends the app, as on iOS.
    func isDrawable(_ rectangle: CGRect) -> Bool {
        let (origin, size) = (rectangle.origin, rectangle.size)
        guard origin.x.isNaN || origin.y.isNaN || size.width.isNaN || size.height.isNaN else { return true }
        // The phone lays views out too, outside of the app's code.
        let owner = SimulatedDevices.currentProcess ?? process
        owner?.hasMade(mistake: "frameNotANumber", "\(rectangle)")
        return false
    }

    open override var next: UIResponder? { viewController ?? superview }

    open var window: UIWindow? { superview?.window }

    // MARK: the view tree

    open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

    open func insertSubview(_ view: UIView, at index: Int) {
        guard !isDescendant(of: view) else {
            return SimulatedDevices.hasMade(mistake: "viewInItself", "\(type(of: view))")
        }
        view.removeFromSuperview()
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        view.didMoveToSuperview()
        view.movedToWindow()
        didAddSubview(view)
        setNeedsLayout()
    }

    open func insertSubview(_ view: UIView, belowSubview sibling: UIView) {
        insertSubview(view, at: subviews.firstIndex(of: sibling) ?? subviews.count)
    }

    open func insertSubview(_ view: UIView, aboveSubview sibling: UIView) {
        insertSubview(view, at: (subviews.firstIndex(of: sibling) ?? subviews.count - 1) + 1)
    }

    open func removeFromSuperview() {
        guard let superview else { return }
        let process = self.process
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        didMoveToSuperview()
        movedToWindow()
        process?.application.backend.viewsChanged()
    }

    open func bringSubviewToFront(_ view: UIView) {
        guard let index = subviews.firstIndex(of: view) else { return }
        subviews.append(subviews.remove(at: index))
        changed()
    }

    open func sendSubviewToBack(_ view: UIView) {
        guard let index = subviews.firstIndex(of: view) else { return }
        subviews.insert(subviews.remove(at: index), at: 0)
        changed()
    }

    public func isDescendant(of view: UIView) -> Bool {
        self === view || (superview?.isDescendant(of: view) ?? false)
    }

    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews { if let found = view.viewWithTag(tag) { return found } }
        return nil
    }

    open func didAddSubview(_ subview: UIView) {}
    open func didMoveToSuperview() {}
    open func didMoveToWindow() {}

    private func movedToWindow() {
        // A view off screen has no safe area, so it is laid out again on screen.
        if window != nil { (needsLayout, isSafeAreaOld) = (true, true) }
        didMoveToWindow()
        for view in subviews { view.movedToWindow() }
    }

    // MARK: layout

    open func setNeedsLayout() {
        needsLayout = true
        changed()
    }

    open func layoutIfNeeded() {
        if isSafeAreaOld { noticeSafeArea() }
        if needsLayout {
            needsLayout = false
            viewController?.viewWillLayoutSubviews()
            layoutSubviews()
            viewController?.viewDidLayoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }

    open func layoutSubviews() {}
    open func setNeedsDisplay() { changed() }
    @available(iOS 11, *)
    open func safeAreaInsetsDidChange() {}
    /// Called when the phone or superview has changed between light and dark, or was rotated. Deprecated since iOS 17.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

    open var intrinsicContentSize: CGSize { CGSize(width: -1, height: -1) }

    /// The distances from the view's edges to the area that no bar, notch or home indicator covers.
    @available(iOS 11, *)
    open var safeAreaInsets: UIEdgeInsets {
        guard let window, let screen = process?.screen else { return .zero }
        let place = convert(bounds, to: window)
        let screenInsets = screen.safeAreaInsets.adding(bars: barsAround)
        return UIEdgeInsets(
            top: max(0, screenInsets.top - place.minY),
            left: max(0, screenInsets.left - place.minX),
            bottom: max(0, place.maxY - (screen.bounds.height - screenInsets.bottom)),
            right: max(0, place.maxX - (screen.bounds.width - screenInsets.right)))
    }

    private func setSize(_ size: CGSize) {
        guard size != storedBounds.size else { return }
        let old = storedBounds.size
        storedBounds.size = size
        for view in subviews { view.autoresize(from: old, to: size) }
        setNeedsLayout()
    }

    // MARK: gestures and touches

    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.view = self
    }

    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.view = nil
    }

    /// Returns whether one of the view's recognisers may begin. The default is `true`.
    open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    /// Returns the deepest view under `point` that takes touches; of overlapping views, the frontmost; `nil` if there is none.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard !isHidden, alpha >= 0.01, isUserInteractionEnabled, !isMovingPastTouches,
            self.point(inside: point, with: event)
        else {
            return nil
        }
        for view in subviews.reversed() {
            if let hit = view.hitTest(view.convert(point, from: self), with: event) { return hit }
        }
        return self
    }

    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    /// The process of the app whose window contains this view; for a view outside windows, the process whose code is running.
    var process: (any SimulatedAppProcess)? {
        window?.owner ?? SimulatedDevices.currentProcess as? any SimulatedAppProcess
    }

    /// Tells the phone that the drawing of the view may have changed.
    func changed() { window?.owner?.application.backend.viewsChanged() }

    /// Returns the next ID. Each phone counts its own IDs, so that equal runs give equal IDs.
    private static func nextID() -> Int {
        if let device = SimulatedDevices.current { return device.memory.next("view") }
        lastOutsideID += 1
        return lastOutsideID
    }

    /// The last ID of the views made by code that no simulated phone runs.
    ///
    /// These IDs are above 2^40, and thus differ from the IDs of an app's own views.
    private static var lastOutsideID = 1 << 40
}
