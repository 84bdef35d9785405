import Foundation

/// A recogniser of quick strokes in one direction.
/// [UISwipeGestureRecognizer](https://developer.apple.com/documentation/uikit/uiswipegesturerecognizer)
@MainActor @preconcurrency open class UISwipeGestureRecognizer: UIGestureRecognizer {
    public struct Direction: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let right = Self(rawValue: 1)
        public static let left = Self(rawValue: 2)
        public static let up = Self(rawValue: 4)
        public static let down = Self(rawValue: 8)
    }

    /// The directions in which a stroke is recognised. The default is right.
    open var direction = Direction.right
    /// The number of fingers. The default is 1; more are never recognised, because only one finger touches the simulated screen.
    open var numberOfTouchesRequired = 1

    private var start = CGPoint.zero
    private var startTime: TimeInterval = 0

    private static let distance: CGFloat = 50
    private static let durationLimitSeconds: TimeInterval = 0.5

    override var fingersRequired: Int { numberOfTouchesRequired }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        guard let touch = touches.first else { return }
        (start, startTime) = (touch.screenLocation, touch.timestamp)
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { recognise(touches) }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { recognise(touches) }

    private func recognise(_ touches: Set<UITouch>) {
        guard state == .possible, let touch = touches.first else { return }
        guard touch.timestamp - startTime <= Self.durationLimitSeconds else {
            state = .failed
            return
        }
        let (dx, dy) = (touch.screenLocation.x - start.x, touch.screenLocation.y - start.y)
        guard max(abs(dx), abs(dy)) >= Self.distance else { return }
        let stroke: Direction = abs(dx) > abs(dy) ? (dx > 0 ? .right : .left) : (dy > 0 ? .down : .up)
        state = direction.contains(stroke) ? .ended : .failed
    }
}
