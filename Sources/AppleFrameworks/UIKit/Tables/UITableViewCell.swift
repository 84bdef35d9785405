import Foundation

/// A row of a table.
///
/// Differs from iOS: accessories and selections are not drawn.
/// [UITableViewCell](https://developer.apple.com/documentation/uikit/uitableviewcell)
@MainActor @preconcurrency open class UITableViewCell: UIView {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum CellStyle: Int, Sendable {
        case `default` = 0
        case value1 = 1
        case value2 = 2
        case subtitle = 3
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum SelectionStyle: Int, Sendable {
        case none = 0
        case blue = 1
        case gray = 2
        case `default` = 3
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum AccessoryType: Int, Sendable {
        case none = 0
        case disclosureIndicator = 1
        case detailDisclosureButton = 2
        case checkmark = 3
        case detailButton = 4
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum EditingStyle: Int, Sendable {
        case none = 0
        case delete = 1
        case insert = 2
    }

    public let contentView = UIView(frame: .zero)
    open private(set) lazy var textLabel: UILabel? = makeLabel(size: 17)
    open private(set) lazy var detailTextLabel: UILabel? = style == .default ? nil : makeLabel(size: 14)
    open private(set) lazy var imageView: UIImageView? = makeImageView()
    open internal(set) var reuseIdentifier: String?
    open var accessoryType = AccessoryType.none { didSet { changed() } }
    open var accessoryView: UIView?
    open var selectionStyle = SelectionStyle.default
    open var isSelected = false { didSet { changed() } }
    private let style: CellStyle

    public init(style: CellStyle, reuseIdentifier: String?) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
        addSubview(contentView)
    }

    /// Makes a cell of the default style, as a table does for a registered class.
    public override convenience init(frame: CGRect) { self.init(style: .default, reuseIdentifier: nil) }

    /// Always returns `nil`, because a phone decodes no nibs.
    public required init?(coder: NSCoder) { nil }

    /// Called before the cell is used for another row.
    open func prepareForReuse() {}

    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }

    open override func layoutSubviews() {
        super.layoutSubviews()
        contentView.frame = bounds
        let left: CGFloat = hasImage ? 60 : 16
        let width = max(0, bounds.width - left - 16)
        if hasImage { imageView?.frame = CGRect(x: 16, y: (bounds.height - 28) / 2, width: 28, height: 28) }
        guard usesLabels else { return }
        let hasDetail = style != .default && detailTextLabel?.text?.isEmpty == false
        textLabel?.frame = CGRect(x: left, y: 0, width: width, height: hasDetail ? bounds.height * 0.55 : bounds.height)
        if hasDetail {
            detailTextLabel?.frame = CGRect(x: left, y: bounds.height * 0.55, width: width, height: bounds.height * 0.4)
        }
    }

    private var hasImage = false
    private var usesLabels = false

    private func makeLabel(size: CGFloat) -> UILabel {
        let label = UILabel(frame: .zero)
        label.font = .systemFont(ofSize: size)
        contentView.addSubview(label)
        usesLabels = true
        setNeedsLayout()
        return label
    }

    private func makeImageView() -> UIImageView {
        let view = UIImageView(frame: .zero)
        contentView.addSubview(view)
        hasImage = true
        setNeedsLayout()
        return view
    }
}
