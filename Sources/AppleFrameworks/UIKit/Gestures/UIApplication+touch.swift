import Foundation

extension UIApplication {
    /// Delivers the touch of one finger on this app's screen to the view that it hits.
    ///
    /// - Returns: the id of the view that has the touch; `nil` if no view takes it.
    @_spi(Simulation) @discardableResult
    public func touch(_ phase: UITouch.Phase, at point: CGPoint, now: TimeInterval) -> Int? {
        if phase == .began {
            let touch = UITouch(phase: .began, at: point, timestamp: now)
            touch.tapCount = tapCount(of: touch, after: lastTouch)
            lastTouch = touch
            for window in windowsBackToFront.reversed() {
                guard let view = window.hitTest(window.fromScreen(point), with: nil) else { continue }
                (touch.window, touch.view) = (window, view)
                break
            }
            currentTouch = touch
        }
        guard let touch = currentTouch, let window = touch.window else { return nil }
        if phase != .began {
            touch.previousScreenLocation = touch.screenLocation
            (touch.phase, touch.screenLocation, touch.timestamp) = (phase, point, now)
        }
        window.sendEvent(UIEvent(touches: [touch], timestamp: now))
        let viewID = touch.view?.viewID
        if phase == .ended || phase == .cancelled {
            currentTouch = nil
            touch.event = nil
        }
        return viewID
    }

    private func tapCount(of touch: UITouch, after last: UITouch?) -> Int {
        guard let last, last.phase == .ended,
            touch.timestamp - last.timestamp <= UITapGestureRecognizer.pauseLimitSeconds,
            touch.screenLocation.distance(to: last.screenLocation) <= 40
        else { return 1 }
        return last.tapCount + 1
    }
}
