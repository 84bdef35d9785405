import UIKit

/// A list that scrolls: one row below the other, each with a title and a line below it.
final class RowsView: UIScrollView {
    struct Row {
        /// What it is about, as long as it is in the list; no two rows have the same.
        var id: String
        var title: String
        var detail: String
        var onTap: (() -> Void)?
    }

    /// What stands above the rows; none if empty.
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

    private static let rowHeight: CGFloat = 64
    private static let headingHeight: CGFloat = 56
    private let title = UILabel(frame: .zero)
    private var rowViews: [RowView] = []

    override init(frame: CGRect) {
        super.init(frame: frame)
        alwaysBounceVertical = true
        title.font = .boldSystemFont(ofSize: 32)
        title.isHidden = true
        addSubview(title)
    }

    required init?(coder: NSCoder) { nil }

    /// A row that stays keeps its view, and so a finger, the keyboard's focus or VoiceOver on it.
    private func updateRows() {
        var known: [String: RowView] = [:]
        for view in rowViews { known[view.id] = view }
        rowViews = rows.map { row in
            let view = known.removeValue(forKey: row.id) ?? RowView(id: row.id)
            view.show(row)
            return view
        }
        for view in known.values { view.removeFromSuperview() }
        placeRowViews()
        setNeedsLayout()
    }

    /// The keyboard and VoiceOver go through the rows in the order of their views. Those that are in their place already stay
    /// there, since most do when one row comes.
    private func placeRowViews() {
        let first = (subviews.firstIndex(of: title) ?? 0) + 1
        for (index, view) in rowViews.enumerated()
        where first + index >= subviews.count || subviews[first + index] !== view {
            insertSubview(view, at: first + index)
        }
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        let top = heading.isEmpty ? 0 : Self.headingHeight
        title.frame = CGRect(x: 16, y: 6, width: bounds.width - 32, height: 44)
        contentSize = CGSize(width: bounds.width, height: top + CGFloat(rowViews.count) * Self.rowHeight)
        for (index, view) in rowViews.enumerated() {
            view.frame = CGRect(
                x: 0, y: top + CGFloat(index) * Self.rowHeight, width: bounds.width, height: Self.rowHeight)
        }
    }
}

/// One row, which takes a tap.
private final class RowView: UIView {
    private let title = UILabel(frame: .zero)
    private let detail = UILabel(frame: .zero)
    private(set) var id = ""
    private var onTap: (() -> Void)?

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
        title.text = row.title
        detail.text = row.detail
        accessibilityLabel = "\(row.title), \(row.detail)"
        onTap = row.onTap
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        title.frame = CGRect(x: 16, y: 10, width: bounds.width - 32, height: 22)
        detail.frame = CGRect(x: 16, y: 34, width: bounds.width - 32, height: 20)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { onTap?() }
}
