import Foundation

/// The description of a view for a snapshot of the phone's screen, without the view's position.
@_spi(Simulation) public struct ViewDescription: Sendable {
    public enum Kind: String, Sendable, Hashable, Codable { case window, view, label, button, image, effect }

    public var kind = Kind.view
    public var text: String?
    public var fontSize: CGFloat?
    public var fontWeight: CGFloat?
    public var textColor: String?
    public var textAlignment: NSTextAlignment?
    public var lineLimit: Int?
    public var symbolName: String?
    public var isEnabled = true
}

extension UIView {
    @_spi(Simulation) public var simulatedDescription: ViewDescription {
        switch self {
        case is UIWindow: ViewDescription(kind: .window)
        case is UIVisualEffectView: ViewDescription(kind: .effect)
        case let label as UILabel: label.labelDescription
        case let button as UIButton: button.buttonDescription
        case let image as UIImageView:
            ViewDescription(kind: .image, textColor: tintColor.rgba(in: self), symbolName: image.image?.symbolName)
        default: ViewDescription()
        }
    }

    /// The currently drawn frame, in the superview's coordinates; an intermediate frame during an animation.
    @_spi(Simulation) public var drawnFrame: CGRect { presented("frame").flatMap(\.rectangle) ?? frame }
    /// The currently drawn scroll position: the origin of the bounds; an intermediate point during an animation.
    @_spi(Simulation) public var drawnOffset: CGPoint {
        presented("origin").flatMap(\.rectangle)?.origin ?? bounds.origin
    }
    @_spi(Simulation) public var drawnAlpha: CGFloat { presented("alpha").flatMap(\.number) ?? alpha }

    /// Whether this view itself would take a tap.
    @_spi(Simulation) public var isTappable: Bool {
        guard isUserInteractionEnabled, !isHidden, alpha >= 0.01 else { return false }
        return (self as? UIControl)?.isEnabled ?? (gestureRecognizers?.contains(where: \.isEnabled) ?? false)
    }
}

extension UILabel {
    fileprivate var labelDescription: ViewDescription {
        ViewDescription(
            kind: .label, text: text, fontSize: font.pointSize, fontWeight: font.weight.rawValue,
            textColor: textColor.textRGBA(in: self), textAlignment: textAlignment, lineLimit: numberOfLines)
    }
}

extension UIButton {
    fileprivate var buttonDescription: ViewDescription {
        let font = titleLabel?.font ?? UIFont.systemFont(ofSize: 15)
        return ViewDescription(
            kind: .button, text: currentTitle, fontSize: font.pointSize, fontWeight: font.weight.rawValue,
            textColor: (titleColor(for: currentState) ?? tintColor).textRGBA(in: self), textAlignment: .center,
            lineLimit: 1,
            symbolName: image(for: currentState)?.symbolName, isEnabled: isEnabled)
    }
}

extension UIView {
    /// Whether the view or one of its subviews is being animated.
    @_spi(Simulation) public var isAnimatingSomewhere: Bool {
        animations.keys.contains { presented($0) != nil } || subviews.contains(where: \.isAnimatingSomewhere)
    }
}

extension UIApplication {
    /// The visible windows, back to front.
    @_spi(Simulation) public var windowsToDraw: [UIWindow] { windowsBackToFront }
}
