import Foundation

/// A recogniser of the gestures that fingers make on a view.
/// [UIGestureRecognizer](https://developer.apple.com/documentation/uikit/uigesturerecognizer)
///
/// Only one recogniser recognises a finger's gesture, and all other recognisers fail, unless a delegate allows several.
///
/// Differs from iOS: there is no `#selector` on Linux, so a closure replaces target and action: ``init(handler:)`` and
/// ``addAction(_:)``. Only one finger touches the simulated screen, so gestures with two fingers never occur.
@MainActor @preconcurrency open class UIGestureRecognizer: NSObject {
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
    /// Whether the recogniser is on; switching it off cancels its current gesture.
    open var isEnabled = true { didSet { if !isEnabled { stop() } } }
    /// Whether recognising a gesture cancels the view's touches. The default is `true`.
    open var cancelsTouchesInView = true
    open var name: String?

    /// The state of the gesture. A subclass sets it; the setter decides whether the gesture is recognised, waits, or fails.
    open var state: State {
        get { progress.state }
        set { move(to: newValue) }
    }

    private var actions: [@MainActor (UIGestureRecognizer) -> Void] = []
    private(set) var mustFailFirst: [UIGestureRecognizer] = []
    private(set) var touches: [UITouch] = []
    var progress = GestureProgress()

    public override init() { super.init() }

    /// Makes a recogniser that calls a closure at each step of its gesture.
    ///
    /// Differs from iOS: the closure replaces target and action.
    public convenience init(handler: @escaping @MainActor (UIGestureRecognizer) -> Void) {
        self.init()
        addAction(handler)
    }

    /// Adds a closure that the recogniser calls at each step of its gesture.
    ///
    /// Differs from iOS: the closure replaces `addTarget(_:action:)`.
    public func addAction(_ action: @escaping @MainActor (UIGestureRecognizer) -> Void) { actions.append(action) }

    /// Delays recognition until `other` has failed, for example a tap until a double tap has failed.
    open func require(toFail other: UIGestureRecognizer) { mustFailFirst.append(other) }

    /// Returns whether recognising this gesture makes `other` fail. The default is `true`.
    open func canPrevent(_ other: UIGestureRecognizer) -> Bool { true }
    /// Returns whether this recogniser fails when `other` recognises. The default is `true`.
    open func canBePrevented(by other: UIGestureRecognizer) -> Bool { true }

    open var numberOfTouches: Int { touches.count }

    /// Returns the location of the first touch; zero if there is none.
    ///
    /// - Parameter view: the view whose coordinates to use; `nil` means the window's.
    open func location(in view: UIView?) -> CGPoint {
        touches.first?.location(in: view ?? self.view?.window) ?? .zero
    }

    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
        touches.indices.contains(touchIndex)
            ? touches[touchIndex].location(in: view ?? self.view?.window) : location(in: view)
    }

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        state = state == .possible ? .failed : .cancelled
    }

    /// Returns to the initial state, after the last finger was lifted.
    open func reset() {
        touches = []
        progress = GestureProgress()
    }

    /// The number of fingers that the gesture needs.
    var fingersRequired: Int { 1 }
    /// Whether the recogniser waits for another touch after the last finger was lifted.
    var awaitsTouch: Bool { false }

    func follow(_ touch: UITouch) {
        if state != .possible { reset() }
        touches = [touch]
        progress.isTouchOver = false
    }

    func runActions() { for action in actions { action(self) } }
}
