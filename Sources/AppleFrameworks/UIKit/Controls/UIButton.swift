import Foundation

/// A button with a title or a symbol.
/// [UIButton](https://developer.apple.com/documentation/uikit/uibutton)
@MainActor @preconcurrency open class UIButton: UIControl {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
        case close = 7
    }

    // Keyed by the state's raw value, because Apple's option sets are not Hashable.
    private var titles: [State.RawValue: String] = [:]
    private var images: [State.RawValue: UIImage] = [:]
    private var titleColors: [State.RawValue: UIColor] = [:]

    /// The label of the title; only its font has an effect.
    public private(set) lazy var titleLabel: UILabel? = UILabel(frame: .zero)

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = true
        accessibilityTraits = .button
    }

    public convenience init(type: ButtonType) { self.init(frame: .zero) }

    public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero)
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        setImage(primaryAction.image, for: .normal)
        addAction(primaryAction, for: .primaryActionTriggered)
    }

    public required init?(coder: NSCoder) { nil }

    open func setTitle(_ title: String?, for state: State) {
        titles[state.rawValue] = title
        changed()
    }
    open func title(for state: State) -> String? { titles[state.rawValue] ?? titles[State.normal.rawValue] }
    open var currentTitle: String? { title(for: currentState) }

    open func setTitleColor(_ color: UIColor?, for state: State) {
        titleColors[state.rawValue] = color
        changed()
    }
    open func titleColor(for state: State) -> UIColor? {
        titleColors[state.rawValue] ?? titleColors[State.normal.rawValue]
    }

    open func setImage(_ image: UIImage?, for state: State) {
        images[state.rawValue] = image
        changed()
    }
    open func image(for state: State) -> UIImage? { images[state.rawValue] ?? images[State.normal.rawValue] }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let font = titleLabel?.font ?? .systemFont(ofSize: 15)
        let text = TextMeasure(font: font).size(of: currentTitle ?? "", width: 0, lineLimit: 1)
        return CGSize(width: text.width + 16, height: max(text.height, 20) + 12)
    }

    var currentState: State {
        if !isEnabled { return .disabled }
        if isHighlighted { return .highlighted }
        return isSelected ? .selected : .normal
    }
}
