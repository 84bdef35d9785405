import Foundation
@_spi(Simulation) import UserNotifications

/// A recogniser of taps: a finger put down and lifted at nearly the same place.
/// [UITapGestureRecognizer](https://developer.apple.com/documentation/uikit/uitapgesturerecognizer)
@MainActor @preconcurrency open class UITapGestureRecognizer: UIGestureRecognizer {
    /// The number of taps in a row. The default is 1.
    open var numberOfTapsRequired = 1
    /// The number of fingers. The default is 1; more are never recognised, because only one finger touches the simulated screen.
    open var numberOfTouchesRequired = 1

    private var start = CGPoint.zero
    private var tapCount = 0
    private var cancelTimer: (@Sendable () -> Void)?

    static let allowedMovement: CGFloat = 10
    private static let allowedDistance: CGFloat = 40
    /// The longest pause between two taps of one gesture, in seconds by the phone's clock.
    static let pauseLimitSeconds: TimeInterval = 0.35

    override var fingersRequired: Int { numberOfTouchesRequired }
    override var awaitsTouch: Bool { tapCount > 0 }

    /// Returns whether recognising this gesture makes `other` fail. A recogniser that needs more taps does not fail.
    open override func canPrevent(_ other: UIGestureRecognizer) -> Bool {
        guard let tap = other as? UITapGestureRecognizer else { return true }
        return tap.numberOfTapsRequired <= numberOfTapsRequired
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        cancelTimer?()
        let place = touches.first?.screenLocation ?? .zero
        if tapCount > 0, place.distance(to: start) > Self.allowedDistance { state = .failed } else { start = place }
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let touch = touches.first, touch.screenLocation.distance(to: start) > Self.allowedMovement {
            state = .failed
        }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard state == .possible, let touch = touches.first else { return }
        guard touch.screenLocation.distance(to: start) <= Self.allowedMovement else { return state = .failed }
        tapCount += 1
        guard tapCount < numberOfTapsRequired else {
            tapCount = 0
            state = .ended
            return
        }
        cancelTimer = view?.process?.schedule(after: Self.pauseLimitSeconds) { [weak self] in
            MainActor.assumeIsolated { self?.nextTapIsLate() }
        }
    }

    private func nextTapIsLate() {
        tapCount = 0
        state = .failed
    }

    open override func reset() {
        cancelTimer?()
        cancelTimer = nil
        tapCount = 0
        super.reset()
    }
}

extension CGPoint {
    func distance(to other: CGPoint) -> CGFloat {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
