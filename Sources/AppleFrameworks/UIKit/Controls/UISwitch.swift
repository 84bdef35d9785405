import Foundation

/// A control with the states on and off. [UISwitch](https://developer.apple.com/documentation/uikit/uiswitch)
///
/// Differs from iOS: a touch that ends inside turns the switch on or off; dragging the switch's thumb does not.
@MainActor @preconcurrency open class UISwitch: UIControl {
    /// The size of every switch in points; a frame determines only its position.
    private static let size = CGSize(width: 51, height: 31)
    private static let margin: CGFloat = 2

    private let thumb = UIView(frame: .zero)

    /// Whether the switch is on. Setting it sends no event; only a person's touch does.
    open var isOn = false { didSet { show() } }
    /// The colour behind the thumb when the switch is on; `nil`, the default, is green.
    open var onTintColor: UIColor? { didSet { show() } }
    /// The colour of the thumb; `nil`, the default, is white.
    open var thumbTintColor: UIColor? { didSet { show() } }

    public override init(frame: CGRect) {
        super.init(frame: CGRect(origin: frame.origin, size: Self.size))
        thumb.isUserInteractionEnabled = false
        addSubview(thumb)
        isAccessibilityElement = true
        accessibilityTraits = .button
        addAction(UIAction { [weak self] _ in self?.turn() }, for: .touchUpInside)
        show()
    }

    public required init?(coder: NSCoder) { nil }

    /// Turns the switch on or off, without sending an event.
    ///
    /// - Parameter animated: has no effect.
    open func setOn(_ on: Bool, animated: Bool) { isOn = on }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { Self.size }
    open override var intrinsicContentSize: CGSize { Self.size }
    open override func layoutSubviews() {
        super.layoutSubviews()
        show()
    }

    private func turn() {
        isOn.toggle()
        sendActions(for: .valueChanged)
    }

    private func show() {
        let side = Self.size.height - 2 * Self.margin
        let left = isOn ? Self.size.width - side - Self.margin : Self.margin
        thumb.frame = CGRect(x: left, y: Self.margin, width: side, height: side)
        thumb.layer.cornerRadius = side / 2
        thumb.backgroundColor = thumbTintColor ?? .white
        layer.cornerRadius = Self.size.height / 2
        backgroundColor = isOn ? onTintColor ?? .systemGreen : .systemGray5
        changed()
    }
}
