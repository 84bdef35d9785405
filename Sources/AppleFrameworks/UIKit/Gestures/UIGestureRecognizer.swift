import Foundation

/// Recognises what fingers do with a view.
/// [UIGestureRecognizer](https://developer.apple.com/documentation/uikit/uigesturerecognizer)
///
/// Differs from iOS: there is no `#selector` on Linux, so a closure takes the place of target and action:
/// ``init(handler:)`` and ``addAction(_:)``.
@MainActor open class UIGestureRecognizer: NSObject {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: Int, Sendable {
        case possible = 0
        case began = 1
        case changed = 2
        case ended = 3
        case cancelled = 4
        case failed = 5

        public static let recognized = State.ended
    }

    public internal(set) weak var view: UIView?
    public weak var delegate: (any UIGestureRecognizerDelegate)?
    open var isEnabled = true
    open var cancelsTouchesInView = true
    open var name: String?

    open var state = State.possible {
        didSet { if state != .possible, state != .failed { runActions() } }
    }

    private var actions: [@MainActor (UIGestureRecognizer) -> Void] = []
    private(set) var mustFailFirst: [UIGestureRecognizer] = []
    private(set) var touches: [UITouch] = []

    public override init() { super.init() }

    /// Differs from iOS: the closure stands for target and action.
    public convenience init(handler: @escaping @MainActor (UIGestureRecognizer) -> Void) {
        self.init()
        addAction(handler)
    }

    /// Differs from iOS: the closure stands for `addTarget(_:action:)`.
    public func addAction(_ action: @escaping @MainActor (UIGestureRecognizer) -> Void) { actions.append(action) }

    open func require(toFail other: UIGestureRecognizer) { mustFailFirst.append(other) }

    open var numberOfTouches: Int { touches.count }

    /// - Parameter view: `nil` means the window's coordinates.
    open func location(in view: UIView?) -> CGPoint {
        touches.first?.location(in: view ?? self.view?.window) ?? .zero
    }

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { self.touches = Array(touches) }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        if state == .began || state == .changed { state = .cancelled }
    }

    /// Back to the start, after the last finger was lifted.
    open func reset() {
        touches = []
        state = .possible
    }

    private func runActions() { for action in actions { action(self) } }
}

/// Has a say in what a recogniser may recognise. Every method is optional.
@MainActor @preconcurrency public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch
    ) -> Bool { true }
}
