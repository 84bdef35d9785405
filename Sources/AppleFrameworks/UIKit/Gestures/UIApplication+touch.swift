import Foundation

extension UIApplication {
    /// One finger on this app's screen: finds the view it hits and hands it the touch.
    ///
    /// - Returns: the id of the view that has the touch; `nil` when no view takes it.
    @_spi(Simulation) @discardableResult
    public func touch(_ phase: UITouch.Phase, at point: CGPoint, now: TimeInterval) -> Int? {
        if phase == .began {
            let touch = UITouch(phase: .began, at: point, timestamp: now)
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
        if phase == .ended || phase == .cancelled { currentTouch = nil }
        return viewID
    }
}
