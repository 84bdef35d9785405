import Foundation

/// A view with several lines of text, which a person may edit.
///
/// Differs from iOS: the phone has no visible keyboard; a test types into the first responder with `Phone.screen.type(_:)`. A
/// delegate is told of editing only if it is a ``UITextViewDelegate``.
/// [UITextView](https://developer.apple.com/documentation/uikit/uitextview)
@MainActor @preconcurrency open class UITextView: UIScrollView {
    open var text: String! = "" { didSet { shown() } }
    open var font: UIFont? = .systemFont(ofSize: 17) { didSet { shown() } }
    open var textColor: UIColor? = .label { didSet { shown() } }
    open var textAlignment = NSTextAlignment.natural { didSet { shown() } }
    open var isEditable = true
    open var isSelectable = true
    private let label = UILabel(frame: .zero)

    public override init(frame: CGRect) {
        super.init(frame: frame)
        label.numberOfLines = 0
        addSubview(label)
        addGestureRecognizer(UITapGestureRecognizer { [weak self] _ in self?.becomeFirstResponder() })
    }

    public required init?(coder: NSCoder) { nil }

    open override var canBecomeFirstResponder: Bool { isEditable }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard super.becomeFirstResponder() else { return false }
        (delegate as? any UITextViewDelegate)?.textViewDidBeginEditing(self)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard super.resignFirstResponder() else { return false }
        (delegate as? any UITextViewDelegate)?.textViewDidEndEditing(self)
        return true
    }

    /// Types text at the end, on behalf of the person.
    func type(_ typed: String) {
        let former = text ?? ""
        let end = NSRange(location: (former as NSString).length, length: 0)
        let delegate = delegate as? any UITextViewDelegate
        guard delegate?.textView(self, shouldChangeTextIn: end, replacementText: typed) ?? true else { return }
        text = former + typed
        delegate?.textViewDidChange(self)
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        let width = max(0, bounds.width - 16)
        let height = label.sizeThatFits(CGSize(width: width, height: .greatestFiniteMagnitude)).height
        label.frame = CGRect(x: 8, y: 8, width: width, height: height)
        contentSize = CGSize(width: bounds.width, height: height + 16)
    }

    private func shown() {
        label.text = text
        label.font = font ?? label.font
        label.textColor = textColor
        label.textAlignment = textAlignment
        setNeedsLayout()
        changed()
    }
}

/// The methods that tell a delegate about typed text and let it refuse changes.
/// [UITextViewDelegate](https://developer.apple.com/documentation/uikit/uitextviewdelegate)
@MainActor @preconcurrency public protocol UITextViewDelegate: UIScrollViewDelegate {
    func textViewDidBeginEditing(_ textView: UITextView)
    func textViewDidEndEditing(_ textView: UITextView)
    func textViewDidChange(_ textView: UITextView)
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool
}

extension UITextViewDelegate {
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewDidEndEditing(_ textView: UITextView) {}
    public func textViewDidChange(_ textView: UITextView) {}
    public func textView(
        _ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String
    ) -> Bool { true }
}

extension UIApplication {
    /// Types text into the first responder, on behalf of the person.
    ///
    /// - Returns: `false` if the first responder is no text field or text view.
    @_spi(Simulation) public func type(_ text: String) -> Bool {
        switch firstResponder {
        case let field as UITextField: field.type(text)
        case let view as UITextView: view.type(text)
        default: return false
        }
        return true
    }
}
