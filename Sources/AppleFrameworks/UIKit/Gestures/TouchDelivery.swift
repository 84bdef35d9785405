import Foundation

/// Takes one finger from the screen to the view that it hits and to the recognisers of that view and its ancestors.
@MainActor enum TouchDelivery {
    static func deliver(_ event: UIEvent, in window: UIWindow) {
        for touch in event.allTouches ?? [] { deliver(touch, event) }
    }

    private static func deliver(_ touch: UITouch, _ event: UIEvent) {
        guard let view = touch.view else { return }
        let recognisers = interested(in: touch, from: view)
        for recogniser in recognisers { pass(touch, event, to: recogniser) }
        let isTaken = recognisers.contains { $0.cancelsTouchesInView && $0.hasRecognised }
        switch touch.phase {
        case .began: view.touchesBegan([touch], with: event)
        case .moved, .stationary: if !isTaken { view.touchesMoved([touch], with: event) }
        case .ended:
            if isTaken { view.touchesCancelled([touch], with: event) } else { view.touchesEnded([touch], with: event) }
        case .cancelled: view.touchesCancelled([touch], with: event)
        }
        if touch.phase == .ended || touch.phase == .cancelled {
            for recogniser in recognisers { recogniser.reset() }
        }
    }

    /// Those of the view that was hit come before those of what it lies in.
    private static func interested(in touch: UITouch, from view: UIView) -> [UIGestureRecognizer] {
        var found: [UIGestureRecognizer] = []
        var current: UIView? = view
        while let holder = current {
            found += (holder.gestureRecognizers ?? []).filter { recogniser in
                recogniser.isEnabled
                    && recogniser.delegate?.gestureRecognizer(recogniser, shouldReceive: touch) ?? true
            }
            current = holder.superview
        }
        return found
    }

    private static func pass(_ touch: UITouch, _ event: UIEvent, to recogniser: UIGestureRecognizer) {
        guard !recogniser.mustFailFirst.contains(where: \.hasRecognised) else { return }
        switch touch.phase {
        case .began: recogniser.touchesBegan([touch], with: event)
        case .moved, .stationary: recogniser.touchesMoved([touch], with: event)
        case .ended: recogniser.touchesEnded([touch], with: event)
        case .cancelled: recogniser.touchesCancelled([touch], with: event)
        }
    }
}

extension UIGestureRecognizer {
    var hasRecognised: Bool { state == .began || state == .changed || state == .ended }
}
