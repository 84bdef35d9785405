import Foundation

/// The visible properties of a view's layer: corners, border and shadow.
/// [CALayer](https://developer.apple.com/documentation/quartzcore/calayer)
@MainActor @preconcurrency public class CALayer: NSObject {
    private weak var view: UIView?

    public var cornerRadius: CGFloat = 0 { didSet { view?.changed() } }
    public var masksToBounds = false { didSet { view?.changed() } }
    public var borderWidth: CGFloat = 0 { didSet { view?.changed() } }
    public var borderColor: CGColor? { didSet { view?.changed() } }
    public var shadowColor: CGColor? = UIColor.black.cgColor { didSet { view?.changed() } }
    /// The opacity of the shadow, 0…1. The default is 0: no shadow.
    public var shadowOpacity: Float = 0 { didSet { view?.changed() } }
    public var shadowOffset = CGSize(width: 0, height: -3) { didSet { view?.changed() } }
    public var shadowRadius: CGFloat = 3 { didSet { view?.changed() } }
    public var zPosition: CGFloat = 0 { didSet { view?.changed() } }

    init(view: UIView) { self.view = view }

    public func removeAllAnimations() { view?.finishAnimations(completed: false) }
}
