import Foundation

/// The horizontal alignment of text.
/// [NSTextAlignment](https://developer.apple.com/documentation/uikit/nstextalignment)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum NSTextAlignment: Int, Sendable {
    case left = 0
    case center = 1
    case right = 2
    case justified = 3
    case natural = 4
}

/// The way in which a text that is too long is wrapped or shortened.
/// [NSLineBreakMode](https://developer.apple.com/documentation/uikit/nslinebreakmode)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum NSLineBreakMode: Int, Sendable {
    case byWordWrapping = 0
    case byCharWrapping = 1
    case byClipping = 2
    case byTruncatingHead = 3
    case byTruncatingTail = 4
    case byTruncatingMiddle = 5
}

/// A view that shows text. [UILabel](https://developer.apple.com/documentation/uikit/uilabel)
///
/// Differs from iOS: the size of text is estimated from the font size, because there is no font to measure.
@MainActor @preconcurrency open class UILabel: UIView {
    open var text: String? { didSet { changed() } }
    open var font: UIFont! = .systemFont(ofSize: 17) { didSet { changed() } }
    open var textColor: UIColor! = .label { didSet { changed() } }
    open var textAlignment = NSTextAlignment.natural { didSet { changed() } }
    /// The text with its attributes.
    ///
    /// Differs from iOS: the attributes are dropped, and the text is drawn in ``font`` and ``textColor``.
    open var attributedText: NSAttributedString? {
        get { text.map { NSAttributedString(string: $0) } }
        set { text = newValue?.string }
    }
    /// The way to shorten a long text. Stored without effect, because text is always truncated at the end.
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    /// The greatest number of lines; 0 for no limit. The default is 1.
    open var numberOfLines = 1 { didSet { changed() } }
    /// Whether the font follows the text size that the person has set.
    ///
    /// Differs from iOS: the phone's text size is always the default.
    open var adjustsFontForContentSizeCategory = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
        isAccessibilityElement = true
    }

    public required init?(coder: NSCoder) { nil }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        TextMeasure(font: font).size(of: text ?? "", width: size.width, lineLimit: numberOfLines)
    }

    open override var intrinsicContentSize: CGSize {
        sizeThatFits(CGSize(width: CGFloat.greatestFiniteMagnitude, height: .greatestFiniteMagnitude))
    }
}

/// An estimate of the space that a text needs, with a character width of about half the font's height.
///
/// Lines end at the line breaks of the text, and before a word that does not fit.
struct TextMeasure {
    let font: UIFont

    private var characterWidth: CGFloat { font.pointSize * 0.52 }

    func size(of text: String, width: CGFloat, lineLimit: Int) -> CGSize {
        guard !text.isEmpty else { return .zero }
        let available = width > 0 ? width : .greatestFiniteMagnitude
        var (lines, widest) = (CGFloat(0), CGFloat(0))
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let wrapped = wrap(paragraph, available)
            lines += wrapped.lines
            widest = max(widest, wrapped.width)
        }
        let shown = lineLimit > 0 ? min(lines, CGFloat(lineLimit)) : lines
        return CGSize(width: widest.rounded(.up), height: shown * font.lineHeight)
    }

    /// Breaks a paragraph into lines; a word that is wider than a line is broken too.
    private func wrap(_ paragraph: Substring, _ available: CGFloat) -> (lines: CGFloat, width: CGFloat) {
        let natural = CGFloat(paragraph.count) * characterWidth
        guard natural > available else { return (1, natural) }
        var lines = CGFloat(1)
        var x: CGFloat?
        for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
            let wide = CGFloat(word.count) * characterWidth
            if let start = x.map({ $0 + characterWidth }), start + wide <= available {
                x = start + wide
                continue
            }
            if x != nil { lines += 1 }
            let rows = max(1, (wide / available).rounded(.up))
            lines += rows - 1
            x = wide - (rows - 1) * available
        }
        return (lines, available)
    }
}
