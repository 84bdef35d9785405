import Foundation
@_spi(Simulation) import UserNotifications

/// An object that handles events. [UIResponder](https://developer.apple.com/documentation/uikit/uiresponder)
@MainActor @preconcurrency open class UIResponder: NSObject {
    public override init() { super.init() }

    open var next: UIResponder? { nil }
    open var canBecomeFirstResponder: Bool { false }
    /// The view that replaces the keyboard. The phone shows neither a keyboard, nor this view, nor an accessory view.
    open var inputView: UIView? { nil }
    open var inputAccessoryView: UIView? { nil }
    open var canResignFirstResponder: Bool { true }
    /// Whether this is the app's first responder; an app has at most one.
    open var isFirstResponder: Bool { responderApplication?.firstResponder === self }

    /// The person's activity with this responder; the person can continue this activity on another device.
    ///
    /// Differs from iOS: the activity becomes current when it is set, rather than when the responder's screen appears.
    open var userActivity: NSUserActivity? { didSet { userActivity?.becomeCurrent() } }

    /// Called before ``userActivity`` goes to another device or is saved, to update it.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Called to continue an activity from another device, or from an earlier launch.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}

    /// Becomes the first responder, if the current first responder resigns.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard canBecomeFirstResponder, let application = responderApplication,
            application.firstResponder?.resignFirstResponder() ?? true
        else { return false }
        application.firstResponder = self
        return true
    }

    @discardableResult
    open func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder else { return false }
        responderApplication?.firstResponder = nil
        return true
    }

    private var responderApplication: UIApplication? {
        let process = (self as? UIView)?.process ?? SimulatedDevices.currentProcess as? any SimulatedAppProcess
        return process?.application
    }

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesBegan(touches, with: event) }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesMoved(touches, with: event) }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { next?.touchesEnded(touches, with: event) }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        next?.touchesCancelled(touches, with: event)
    }
}
