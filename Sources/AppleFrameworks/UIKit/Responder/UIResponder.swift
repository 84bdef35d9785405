import Foundation

/// Something that takes part in the handling of events.
/// [UIResponder](https://developer.apple.com/documentation/uikit/uiresponder)
@MainActor open class UIResponder: NSObject {
    public required override init() { super.init() }

    open var next: UIResponder? { nil }
    open var canBecomeFirstResponder: Bool { false }

    /// What the person does with this responder, for other devices to go on with.
    ///
    /// Differs from iOS: it becomes current when it is set, rather than when the responder's screen appears.
    open var userActivity: NSUserActivity? { didSet { userActivity?.becomeCurrent() } }

    /// ``userActivity`` goes to another device or is saved: fill it in.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// An activity from another device, or from an earlier launch, goes on here.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}

    open private(set) var isFirstResponder = false

    @discardableResult
    open func becomeFirstResponder() -> Bool {
        isFirstResponder = canBecomeFirstResponder
        return isFirstResponder
    }

    @discardableResult
    open func resignFirstResponder() -> Bool {
        isFirstResponder = false
        return true
    }

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesBegan(touches, with: event) }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesMoved(touches, with: event) }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesEnded(touches, with: event) }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesCancelled(touches, with: event)
    }
}
