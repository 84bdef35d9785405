import Foundation

/// A coordinate system for points on the screen: a view's own, or the screen's.
/// [UICoordinateSpace](https://developer.apple.com/documentation/uikit/uicoordinatespace)
@available(iOS 8, *)
@MainActor @preconcurrency public protocol UICoordinateSpace: NSObjectProtocol {
    func convert(_ point: CGPoint, to coordinateSpace: any UICoordinateSpace) -> CGPoint
    func convert(_ point: CGPoint, from coordinateSpace: any UICoordinateSpace) -> CGPoint
    func convert(_ rect: CGRect, to coordinateSpace: any UICoordinateSpace) -> CGRect
    func convert(_ rect: CGRect, from coordinateSpace: any UICoordinateSpace) -> CGRect
    var bounds: CGRect { get }
}

extension UIView: UICoordinateSpace {
    public func convert(_ point: CGPoint, to coordinateSpace: any UICoordinateSpace) -> CGPoint {
        coordinateSpace.fromScreen(toScreen(point))
    }

    public func convert(_ point: CGPoint, from coordinateSpace: any UICoordinateSpace) -> CGPoint {
        fromScreen(coordinateSpace.toScreen(point))
    }

    public func convert(_ rect: CGRect, to coordinateSpace: any UICoordinateSpace) -> CGRect {
        Self.rectangle(rect) { convert($0, to: coordinateSpace) }
    }

    public func convert(_ rect: CGRect, from coordinateSpace: any UICoordinateSpace) -> CGRect {
        Self.rectangle(rect) { convert($0, from: coordinateSpace) }
    }
}

extension UIScreen: UICoordinateSpace {
    /// The screen itself, in the orientation in which the app is drawn.
    @available(iOS 8, *)
    public var coordinateSpace: any UICoordinateSpace { self }

    public func convert(_ point: CGPoint, to coordinateSpace: any UICoordinateSpace) -> CGPoint {
        coordinateSpace.fromScreen(point)
    }

    public func convert(_ point: CGPoint, from coordinateSpace: any UICoordinateSpace) -> CGPoint {
        coordinateSpace.toScreen(point)
    }

    public func convert(_ rect: CGRect, to coordinateSpace: any UICoordinateSpace) -> CGRect {
        UIView.rectangle(rect) { coordinateSpace.fromScreen($0) }
    }

    public func convert(_ rect: CGRect, from coordinateSpace: any UICoordinateSpace) -> CGRect {
        UIView.rectangle(rect) { coordinateSpace.toScreen($0) }
    }
}

@MainActor extension UICoordinateSpace {
    fileprivate func toScreen(_ point: CGPoint) -> CGPoint { (self as? UIView)?.toScreen(point) ?? point }
    fileprivate func fromScreen(_ point: CGPoint) -> CGPoint { (self as? UIView)?.fromScreen(point) ?? point }
}
