import Foundation

/// A recogniser of a moving finger.
/// [UIPanGestureRecognizer](https://developer.apple.com/documentation/uikit/uipangesturerecognizer)
@MainActor @preconcurrency open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// The least number of fingers. The default is 1; more are never recognised, because only one finger touches the simulated
    /// screen.
    open var minimumNumberOfTouches = 1
    open var maximumNumberOfTouches = Int.max

    private var origin = CGPoint.zero
    private var current = CGPoint.zero
    private var samples: [(location: CGPoint, time: TimeInterval)] = []

    private static let startDistance: CGFloat = 10
    private static let sampleLimit = 4
    private static let restSeconds: TimeInterval = 0.1

    override var fingersRequired: Int { minimumNumberOfTouches }

    /// Returns the distance that the finger has moved since the gesture began, in points.
    open func translation(in view: UIView?) -> CGPoint { CGPoint(x: current.x - origin.x, y: current.y - origin.y) }

    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        origin = CGPoint(x: current.x - translation.x, y: current.y - translation.y)
    }

    /// Returns the finger's speed in points a second, over the last few moves.
    open func velocity(in view: UIView?) -> CGPoint {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return .zero }
        let seconds = CGFloat(last.time - first.time)
        return CGPoint(
            x: (last.location.x - first.location.x) / seconds, y: (last.location.y - first.location.y) / seconds)
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        guard let touch = touches.first else { return }
        origin = touch.screenLocation
        current = origin
        samples = [(origin, touch.timestamp)]
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first, state != .failed else { return }
        current = touch.screenLocation
        samples = (samples + [(current, touch.timestamp)]).suffix(Self.sampleLimit)
        switch state {
        case .possible:
            guard current.distance(to: origin) >= Self.startDistance else { return }
            state = .began
        case .began, .changed: state = .changed
        default: break
        }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first else { return }
        current = touch.screenLocation
        // A finger that rested before it was lifted has no speed.
        if let last = samples.last, touch.timestamp - last.time > Self.restSeconds { samples = [] }
        if hasRecognised { state = .ended }
    }
}
