import Foundation

/// A visual effect that a ``UIVisualEffectView`` shows behind its content.
@MainActor @preconcurrency open class UIVisualEffect: NSObject {}

/// An effect that blurs what is behind the view.
/// [UIBlurEffect](https://developer.apple.com/documentation/uikit/uiblureffect)
@MainActor @preconcurrency open class UIBlurEffect: UIVisualEffect {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Int, Sendable {
        case extraLight = 0
        case light = 1
        case dark = 2
        case regular = 4
        case prominent = 5
        case systemUltraThinMaterial = 6
        case systemThinMaterial = 7
        case systemMaterial = 8
        case systemThickMaterial = 9
        case systemChromeMaterial = 10
    }

    let style: Style

    public init(style: Style) { self.style = style }

    /// The plain colour that the phone draws instead of the blur.
    var color: UIColor {
        switch style {
        case .extraLight, .light: UIColor(white: 0.97, alpha: 0.92)
        case .dark: UIColor(white: 0.1, alpha: 0.92)
        default: UIColor(hex: 0xF7F7F7, dark: 0x1A1A1A, alpha: 0.92)
        }
    }
}

/// A view with an effect behind its content.
/// [UIVisualEffectView](https://developer.apple.com/documentation/uikit/uivisualeffectview)
///
/// Differs from iOS: the view is drawn as a plain view, nearly opaque, light or dark.
@MainActor @preconcurrency open class UIVisualEffectView: UIView {
    open var effect: UIVisualEffect? { didSet { backgroundColor = (effect as? UIBlurEffect)?.color ?? .clear } }
    public private(set) lazy var contentView: UIView = makeContentView()

    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
        backgroundColor = (effect as? UIBlurEffect)?.color ?? .clear
    }

    public required init?(coder: NSCoder) { nil }
    public convenience init() { self.init(effect: nil) }

    private func makeContentView() -> UIView {
        let view = UIView(frame: bounds)
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        insertSubview(view, at: 0)
        return view
    }
}
