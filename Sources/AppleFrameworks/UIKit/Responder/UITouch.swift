import Foundation

/// A touch of one finger.
/// [UITouch](https://developer.apple.com/documentation/uikit/uitouch)
@MainActor @preconcurrency public class UITouch: NSObject {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Phase: Int, Sendable {
        case began = 0
        case moved = 1
        case stationary = 2
        case ended = 3
        case cancelled = 4
    }

    public internal(set) var phase: Phase
    /// The time of the touch in seconds, by the phone's clock.
    public internal(set) var timestamp: TimeInterval
    public internal(set) weak var view: UIView?
    public internal(set) weak var window: UIWindow?
    /// The number of taps in a row, including this one.
    public internal(set) var tapCount = 1
    /// The gesture recognisers that receive this touch.
    public var gestureRecognizers: [UIGestureRecognizer]? { recognisers }

    var recognisers: [UIGestureRecognizer] = []
    /// Whether a gesture recogniser has taken the touch away from the touched view.
    var isTaken = false
    /// Whether the view has received the touch.
    var wasDelivered = false
    var event: UIEvent?

    var screenLocation: CGPoint
    var previousScreenLocation: CGPoint

    init(phase: Phase, at location: CGPoint, timestamp: TimeInterval) {
        self.phase = phase
        self.timestamp = timestamp
        screenLocation = location
        previousScreenLocation = location
    }

    /// Returns the location of the touch.
    ///
    /// - Parameter view: the view whose coordinates to use; `nil` means the window's.
    public func location(in view: UIView?) -> CGPoint { view?.fromScreen(screenLocation) ?? screenLocation }

    public func previousLocation(in view: UIView?) -> CGPoint {
        view?.fromScreen(previousScreenLocation) ?? previousScreenLocation
    }
}

/// An event that delivers touches.
@MainActor @preconcurrency public class UIEvent: NSObject {
    public let allTouches: Set<UITouch>?
    public let timestamp: TimeInterval

    init(touches: Set<UITouch>, timestamp: TimeInterval) {
        allTouches = touches
        self.timestamp = timestamp
    }
}
