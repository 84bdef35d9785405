import UIKit

/// A list that scrolls: one row below the other, each with a title and a line below it.
final class RowsView: UIScrollView {
    struct Row {
        var title: String
        var detail: String
        var onTap: (() -> Void)?
    }

    /// What stands above the rows; none if empty.
    var heading = "" {
        didSet { makeRows() }
    }

    var rows: [Row] = [] {
        didSet { makeRows() }
    }

    private static let rowHeight: CGFloat = 64
    private static let headingHeight: CGFloat = 56
    private let title = UILabel(frame: .zero)

    private func makeRows() {
        alwaysBounceVertical = true
        for view in subviews where view is RowView || view === title { view.removeFromSuperview() }
        title.text = heading
        title.font = .boldSystemFont(ofSize: 32)
        if !heading.isEmpty { addSubview(title) }
        for row in rows { addSubview(RowView(row: row)) }
        setNeedsLayout()
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        let top = heading.isEmpty ? 0 : Self.headingHeight
        title.frame = CGRect(x: 16, y: 6, width: bounds.width - 32, height: 44)
        let rows = subviews.filter { $0 is RowView }
        contentSize = CGSize(width: bounds.width, height: top + CGFloat(rows.count) * Self.rowHeight)
        for (index, view) in rows.enumerated() {
            view.frame = CGRect(
                x: 0, y: top + CGFloat(index) * Self.rowHeight, width: bounds.width, height: Self.rowHeight)
        }
    }
}

/// One row, which takes a tap.
private final class RowView: UIView {
    private let title = UILabel(frame: .zero)
    private let detail = UILabel(frame: .zero)
    private var onTap: (() -> Void)?

    convenience init(row: RowsView.Row) {
        self.init(frame: .zero)
        title.text = row.title
        title.font = .boldSystemFont(ofSize: 17)
        detail.text = row.detail
        detail.font = .systemFont(ofSize: 14)
        detail.textColor = .secondaryLabel
        onTap = row.onTap
        isAccessibilityElement = true
        accessibilityLabel = "\(row.title), \(row.detail)"
        addSubview(title)
        addSubview(detail)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        title.frame = CGRect(x: 16, y: 10, width: bounds.width - 32, height: 22)
        detail.frame = CGRect(x: 16, y: 34, width: bounds.width - 32, height: 20)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { onTap?() }
}
