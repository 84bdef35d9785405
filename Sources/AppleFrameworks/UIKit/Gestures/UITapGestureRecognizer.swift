import Foundation

/// A tap: a finger put down and lifted at about the same place.
/// [UITapGestureRecognizer](https://developer.apple.com/documentation/uikit/uitapgesturerecognizer)
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
    /// The default is 1.
    open var numberOfTapsRequired = 1
    open var numberOfTouchesRequired = 1

    private var start = CGPoint.zero
    private var tapCount = 0
    private var lastTapTime: TimeInterval = -1

    static let allowedMovement: CGFloat = 10
    private static let pauseLimitSeconds: TimeInterval = 0.35

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        start = touches.first?.screenLocation ?? .zero
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let touch = touches.first, touch.screenLocation.distance(to: start) > Self.allowedMovement {
            state = .failed
        }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard state == .possible, let touch = touches.first,
            touch.screenLocation.distance(to: start) <= Self.allowedMovement
        else { return }
        let isSoon = touch.timestamp - lastTapTime <= Self.pauseLimitSeconds
        tapCount = isSoon ? tapCount + 1 : 1
        lastTapTime = touch.timestamp
        guard tapCount >= numberOfTapsRequired, delegate?.gestureRecognizerShouldBegin(self) ?? true else { return }
        tapCount = 0
        state = .ended
    }
}

extension CGPoint {
    func distance(to other: CGPoint) -> CGFloat {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
