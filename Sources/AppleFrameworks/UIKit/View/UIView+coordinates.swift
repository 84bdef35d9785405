import Foundation

extension UIView {
    /// Converts a point from this view's coordinates to the coordinates of `view`, or of the window if `view` is `nil`.
    public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let onScreen = toScreen(point)
        return (view ?? window)?.fromScreen(onScreen) ?? onScreen
    }

    public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
        fromScreen((view ?? window)?.toScreen(point) ?? point)
    }

    public func convert(_ rect: CGRect, to view: UIView?) -> CGRect { Self.rectangle(rect) { convert($0, to: view) } }

    public func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        Self.rectangle(rect) { convert($0, from: view) }
    }

    /// Converts a point from this view's coordinates to screen coordinates.
    ///
    /// If the view is in no window, the `frame` of its hierarchy's topmost view counts as a frame in screen coordinates.
    func toScreen(_ point: CGPoint) -> CGPoint {
        let middle = CGPoint(x: bounds.midX, y: bounds.midY)
        let turned = CGPoint(x: point.x - middle.x, y: point.y - middle.y).applying(transform)
        let outside = CGPoint(x: turned.x + center.x, y: turned.y + center.y)
        return superview?.toScreen(outside) ?? outside
    }

    func fromScreen(_ point: CGPoint) -> CGPoint {
        let outside = superview?.fromScreen(point) ?? point
        let turned = CGPoint(x: outside.x - center.x, y: outside.y - center.y).applying(transform.inverted())
        return CGPoint(x: turned.x + bounds.midX, y: turned.y + bounds.midY)
    }

    /// Returns the rectangle spanned by two converted corners.
    static func rectangle(_ rect: CGRect, _ convert: (CGPoint) -> CGPoint) -> CGRect {
        let (a, b) = (convert(rect.origin), convert(CGPoint(x: rect.maxX, y: rect.maxY)))
        return CGRect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
    }
}
