import Foundation

/// A view in which a person types one line of text.
///
/// Differs from iOS: the phone has no visible keyboard; a test types into the first responder with `Phone.screen.type(_:)`.
/// [UITextField](https://developer.apple.com/documentation/uikit/uitextfield)
@MainActor @preconcurrency open class UITextField: UIControl {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum BorderStyle: Int, Sendable {
        case none = 0
        case line = 1
        case bezel = 2
        case roundedRect = 3
    }

    open weak var delegate: (any UITextFieldDelegate)?
    open var text: String? = "" { didSet { shown() } }
    open var placeholder: String? { didSet { shown() } }
    open var font: UIFont? = .systemFont(ofSize: 17) { didSet { label.font = font ?? label.font } }
    open var textColor: UIColor? = .label { didSet { shown() } }
    open var textAlignment = NSTextAlignment.natural { didSet { label.textAlignment = textAlignment } }
    open var borderStyle = BorderStyle.none { didSet { layer.cornerRadius = borderStyle == .roundedRect ? 6 : 0 } }
    open var isSecureTextEntry = false { didSet { shown() } }
    private let label = UILabel(frame: .zero)

    public override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(label)
        addAction(UIAction { [weak self] _ in self?.becomeFirstResponder() }, for: .touchUpInside)
        shown()
    }

    public required init?(coder: NSCoder) { nil }

    open override var canBecomeFirstResponder: Bool { isEnabled }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder() else { return false }
        delegate?.textFieldDidEndEditing(self)
        sendActions(for: .editingDidEnd)
        return true
    }

    /// Types text on behalf of the person, one character after another; a line break presses the key Return.
    func type(_ typed: String) {
        for character in typed {
            let text = text ?? ""
            if character.isNewline {
                if delegate?.textFieldShouldReturn(self) ?? true { sendActions(for: .editingDidEndOnExit) }
                continue
            }
            let end = NSRange(location: (text as NSString).length, length: 0)
            let addition = String(character)
            guard delegate?.textField(self, shouldChangeCharactersIn: end, replacementString: addition) ?? true else {
                continue
            }
            self.text = text + addition
            sendActions(for: .editingChanged)
        }
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        label.frame = bounds.insetBy(dx: borderStyle == .none ? 0 : 8, dy: 0)
    }

    private func shown() {
        let text = text ?? ""
        label.text = text.isEmpty ? placeholder : isSecureTextEntry ? String(repeating: "•", count: text.count) : text
        label.textColor = text.isEmpty ? .placeholderText : textColor
        changed()
    }
}

/// The methods that tell a delegate about typed text and let it refuse changes.
/// [UITextFieldDelegate](https://developer.apple.com/documentation/uikit/uitextfielddelegate)
@MainActor @preconcurrency public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }
}
