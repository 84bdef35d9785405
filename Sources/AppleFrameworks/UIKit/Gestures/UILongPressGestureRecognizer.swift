import Foundation
@_spi(Simulation) import UserNotifications

/// A recogniser of long presses, timed by the phone's clock.
/// [UILongPressGestureRecognizer](https://developer.apple.com/documentation/uikit/uilongpressgesturerecognizer)
@MainActor @preconcurrency open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The shortest press, in seconds. The default is 0.5.
    open var minimumPressDuration: TimeInterval = 0.5
    /// The greatest movement during the press, in points. The default is 10.
    open var allowableMovement: CGFloat = 10

    private var start = CGPoint.zero
    private var cancelTimer: (@Sendable () -> Void)?

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        start = touches.first?.screenLocation ?? .zero
        cancelTimer = view?.process?.schedule(after: minimumPressDuration) { [weak self] in
            MainActor.assumeIsolated { self?.heldLongEnough() }
        }
    }

    private func heldLongEnough() {
        if state == .possible { state = .began }
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first else { return }
        if state == .possible, touch.screenLocation.distance(to: start) > allowableMovement { state = .failed }
        if state == .began || state == .changed { state = .changed }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        cancelTimer?()
        if state == .began || state == .changed { state = .ended }
    }

    open override func reset() {
        cancelTimer?()
        super.reset()
    }
}
