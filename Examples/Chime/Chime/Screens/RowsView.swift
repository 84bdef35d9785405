import UIKit

/// A scrolling list of rows, each with a title and a text below it, as high as these need.
final class RowsView: UIScrollView {
    struct Row {
        /// The row's identity, unique in the list.
        var id: String
        var title: String
        var detail: String
        /// The most lines of the title and of the text; 0 for no limit.
        var lineLimit = 0
        var onTap: (() -> Void)?
    }

    /// The text that is shown if there are no rows.
    var emptyText = "" { didSet { empty.text = emptyText } }

    /// The heading above the rows; empty for none.
    var heading = "" {
        didSet {
            title.text = heading
            title.isHidden = heading.isEmpty
            setNeedsLayout()
        }
    }

    var rows: [Row] = [] {
        didSet { updateRows() }
    }

    private static let headingHeight: CGFloat = 56
    private let title = UILabel(frame: .zero)
    private let empty = UILabel(frame: .zero)
    private var rowViews: [RowView] = []

    override init(frame: CGRect) {
        super.init(frame: frame)
        alwaysBounceVertical = true
        title.font = .boldSystemFont(ofSize: 32)
        title.isHidden = true
        empty.textColor = .secondaryLabel
        addSubview(title)
        addSubview(empty)
    }

    required init?(coder: NSCoder) { nil }

    /// Keeps the views of rows that stay, and with them a touch, the keyboard's focus or VoiceOver's position.
    private func updateRows() {
        var known: [String: RowView] = [:]
        for view in rowViews { known[view.id] = view }
        rowViews = rows.map { row in
            let view = known.removeValue(forKey: row.id) ?? RowView(id: row.id)
            view.show(row)
            return view
        }
        for view in known.values { view.removeFromSuperview() }
        empty.isHidden = !rows.isEmpty
        placeRowViews()
        setNeedsLayout()
    }

    /// Orders the views, because the keyboard and VoiceOver follow that order.
    ///
    /// Views that are already in their place are not moved: usually most of them, if one row is added.
    private func placeRowViews() {
        let first = (subviews.firstIndex(of: empty) ?? 0) + 1
        for (index, view) in rowViews.enumerated()
        where first + index >= subviews.count || subviews[first + index] !== view {
            insertSubview(view, at: first + index)
        }
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        var top = heading.isEmpty ? 0 : Self.headingHeight
        title.frame = CGRect(x: 16, y: 6, width: bounds.width - 32, height: 44)
        empty.frame = CGRect(x: 16, y: top + 16, width: bounds.width - 32, height: 22)
        for view in rowViews {
            let height = view.height(in: bounds.width)
            view.frame = CGRect(x: 0, y: top, width: bounds.width, height: height)
            top += height
        }
        contentSize = CGSize(width: bounds.width, height: top)
    }
}

/// One row, which the person can tap.
private final class RowView: UIView {
    private let title = UILabel(frame: .zero)
    private let detail = UILabel(frame: .zero)
    private(set) var id = ""
    private var onTap: (() -> Void)?
    /// The cached height of the texts for a width; `nil` after the texts have changed.
    private var known: (width: CGFloat, height: CGFloat)?

    convenience init(id: String) {
        self.init(frame: .zero)
        self.id = id
        title.font = .boldSystemFont(ofSize: 17)
        detail.font = .systemFont(ofSize: 14)
        detail.textColor = .secondaryLabel
        isAccessibilityElement = true
        addSubview(title)
        addSubview(detail)
    }

    func show(_ row: RowsView.Row) {
        onTap = row.onTap
        guard title.text != row.title || detail.text != row.detail || detail.numberOfLines != row.lineLimit else {
            return
        }
        title.text = row.title
        detail.text = row.detail
        for label in [title, detail] { label.numberOfLines = row.lineLimit }
        known = nil
        setNeedsLayout()
        accessibilityLabel = "\(row.title), \(row.detail)"
    }

    func height(in width: CGFloat) -> CGFloat {
        if let known, known.width == width { return known.height }
        let height = Self.margin * 2 + size(of: title, width) + Self.gap + size(of: detail, width)
        known = (width, height)
        return height
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        let width = bounds.width - 32
        let height = size(of: title, bounds.width)
        title.frame = CGRect(x: 16, y: Self.margin, width: width, height: height)
        detail.frame = CGRect(
            x: 16, y: Self.margin + height + Self.gap, width: width, height: size(of: detail, bounds.width))
    }

    private func size(of label: UILabel, _ width: CGFloat) -> CGFloat {
        label.sizeThatFits(CGSize(width: width - 32, height: .greatestFiniteMagnitude)).height
    }

    private static let margin: CGFloat = 10
    private static let gap: CGFloat = 3

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { onTap?() }
}
