import Foundation

/// A view that indicates work in progress.
/// [UIActivityIndicatorView](https://developer.apple.com/documentation/uikit/uiactivityindicatorview)
///
/// Differs from iOS: the indicator occupies its space, but is not drawn.
@MainActor @preconcurrency open class UIActivityIndicatorView: UIView {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101

        @available(iOS, introduced: 2, deprecated: 13, renamed: "large")
        public static var whiteLarge: Self { .large }
        @available(iOS, introduced: 2, deprecated: 13, renamed: "medium")
        public static var white: Self { .medium }
        @available(iOS, introduced: 2, deprecated: 13, renamed: "medium")
        public static var gray: Self { .medium }

        /// The width and height of an indicator with this style, in points.
        fileprivate var side: CGFloat { self == .large ? 37 : 20 }
    }

    /// The size of the indicator. The default is medium.
    open var style = Style.medium { didSet { bounds.size = intrinsicContentSize } }
    /// Whether the indicator is hidden while it is not animating. The default is `true`.
    open var hidesWhenStopped = true { didSet { show() } }
    /// The colour of the indicator. Stored without effect, because nothing is drawn.
    open var color: UIColor! = .systemGray
    open private(set) var isAnimating = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        show()
    }

    public convenience init(style: Style) {
        self.init(frame: CGRect(x: 0, y: 0, width: style.side, height: style.side))
        self.style = style
    }

    public required init?(coder: NSCoder) { nil }

    open func startAnimating() {
        isAnimating = true
        show()
    }

    open func stopAnimating() {
        isAnimating = false
        show()
    }

    open override var intrinsicContentSize: CGSize { CGSize(width: style.side, height: style.side) }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    private func show() { isHidden = hidesWhenStopped && !isAnimating }
}
