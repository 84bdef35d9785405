import Foundation

/// The delivery of one finger's touches: to the touched view, and to the recognisers of that view and its superviews.
@MainActor enum TouchDelivery {
    static func deliver(_ event: UIEvent, in window: UIWindow) {
        for touch in event.allTouches ?? [] { deliver(touch, event) }
    }

    private static func deliver(_ touch: UITouch, _ event: UIEvent) {
        touch.event = event
        if touch.phase == .began {
            guard let view = touch.view else { return }
            touch.recognisers = interested(in: touch, from: view)
            for recogniser in touch.recognisers { recogniser.follow(touch) }
        }
        for recogniser in touch.recognisers { pass(touch, event, to: recogniser) }
        // A view may be removed under the finger; the recognisers of its former superviews continue.
        if !touch.isTaken, let view = touch.view { hand(touch, event, to: view) }
        guard touch.phase == .ended || touch.phase == .cancelled else { return }
        for recogniser in touch.recognisers { recogniser.touchIsOver() }
        touch.recognisers = []
    }

    private static func hand(_ touch: UITouch, _ event: UIEvent, to view: UIView) {
        touch.wasDelivered = true
        switch touch.phase {
        case .began: view.touchesBegan([touch], with: event)
        case .moved, .stationary: view.touchesMoved([touch], with: event)
        case .ended: view.touchesEnded([touch], with: event)
        case .cancelled: view.touchesCancelled([touch], with: event)
        }
    }

    /// Returns the recognisers of the touched view, then those of its superviews, innermost first.
    private static func interested(in touch: UITouch, from view: UIView) -> [UIGestureRecognizer] {
        var found: [UIGestureRecognizer] = []
        var current: UIView? = view
        var isInControl = false
        while let holder = current {
            found += (holder.gestureRecognizers ?? []).filter { recogniser in
                // A recogniser that waits for others to fail takes no further touches. A tap on a control belongs to the
                // control.
                recogniser.isEnabled && recogniser.fingersRequired == 1 && recogniser.progress.pending == nil
                    && !(isInControl && (recogniser as? UITapGestureRecognizer)?.numberOfTapsRequired == 1)
                    && recogniser.delegate?.gestureRecognizer(recogniser, shouldReceive: touch) ?? true
            }
            isInControl = isInControl || holder is UIControl
            current = holder.superview
        }
        return found
    }

    private static func pass(_ touch: UITouch, _ event: UIEvent, to recogniser: UIGestureRecognizer) {
        guard [.possible, .began, .changed].contains(recogniser.state) else { return }
        switch touch.phase {
        case .began: recogniser.touchesBegan([touch], with: event)
        case .moved, .stationary: recogniser.touchesMoved([touch], with: event)
        case .ended: recogniser.touchesEnded([touch], with: event)
        case .cancelled: recogniser.touchesCancelled([touch], with: event)
        }
    }
}
