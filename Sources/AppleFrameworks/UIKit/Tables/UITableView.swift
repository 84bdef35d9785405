import Foundation
@_spi(Simulation) import UserNotifications

/// A view with a column of rows, in sections.
///
/// Differs from iOS: all rows are made immediately, including invisible ones. A row of automatic height is 44 points high. All
/// styles look alike; insertions and removals are not animated, and rows cannot be edited by touch.
/// [UITableView](https://developer.apple.com/documentation/uikit/uitableview)
@MainActor @preconcurrency open class UITableView: UIScrollView {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Int, Sendable {
        case plain = 0
        case grouped = 1
        case insetGrouped = 2
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum RowAnimation: Int, Sendable {
        case fade = 0
        case right = 1
        case left = 2
        case top = 3
        case bottom = 4
        case none = 5
        case middle = 6
        case automatic = 100
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ScrollPosition: Int, Sendable {
        case none = 0
        case top = 1
        case middle = 2
        case bottom = 3
    }

    public static let automaticDimension: CGFloat = -1

    public let style: Style
    open weak var dataSource: (any UITableViewDataSource)? { didSet { reloadData() } }
    open var rowHeight = UITableView.automaticDimension { didSet { setNeedsLayout() } }
    open var estimatedRowHeight = UITableView.automaticDimension
    open var allowsSelection = true
    open var tableHeaderView: UIView? { didSet { replace(oldValue, by: tableHeaderView) } }
    open var tableFooterView: UIView? { didSet { replace(oldValue, by: tableFooterView) } }
    open private(set) var indexPathForSelectedRow: IndexPath?

    private var classes: [String: UITableViewCell.Type] = [:]
    private var unused: [String: [UITableViewCell]] = [:]
    private var sections: [Section] = []
    private var isStale = true

    private struct Section {
        var header: UIView?
        var footer: UIView?
        var cells: [UITableViewCell]
    }

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
        alwaysBounceVertical = true
        addGestureRecognizer(
            UITapGestureRecognizer { [weak self] recognizer in
                guard let self, let path = indexPathForRow(at: recognizer.location(in: self)) else { return }
                tapped(path)
            })
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }

    public required init?(coder: NSCoder) { nil }

    // MARK: rows

    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UITableViewCell.Type
    }

    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        if let cell = unused[identifier]?.popLast() {
            cell.prepareForReuse()
            return cell
        }
        guard let type = classes[identifier] else { return nil }
        let cell = Creatable.make(type)
        cell.reuseIdentifier = identifier
        return cell
    }

    /// Returns a cell of the class that is registered for the identifier; without such a class, the app ends, as on iOS.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        if let cell = dequeueReusableCell(withIdentifier: identifier) { return cell }
        SimulatedDevices.hasMade(mistake: "cellNotRegistered", identifier)
        return UITableViewCell(style: .default, reuseIdentifier: identifier)
    }

    open func reloadData() {
        isStale = true
        setNeedsLayout()
    }

    open var numberOfSections: Int { dataSource?.numberOfSections(in: self) ?? 0 }

    open func numberOfRows(inSection section: Int) -> Int {
        dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
    }

    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
        update()
        guard sections.indices.contains(indexPath.section) else { return nil }
        let cells = sections[indexPath.section].cells
        return cells.indices.contains(indexPath.row) ? cells[indexPath.row] : nil
    }

    open func indexPath(for cell: UITableViewCell) -> IndexPath? {
        for (number, section) in sections.enumerated() {
            if let row = section.cells.firstIndex(where: { $0 === cell }) {
                return IndexPath(row: row, section: number)
            }
        }
        return nil
    }

    open func indexPathForRow(at point: CGPoint) -> IndexPath? {
        sections.lazy.flatMap(\.cells).first { $0.frame.contains(point) }.flatMap { indexPath(for: $0) }
    }

    open var visibleCells: [UITableViewCell] {
        update()
        return sections.flatMap(\.cells).filter { $0.frame.intersects(bounds) }
    }

    open var indexPathsForVisibleRows: [IndexPath]? { visibleCells.compactMap { indexPath(for: $0) } }

    // MARK: changes

    open func beginUpdates() {}
    open func endUpdates() { reloadData() }

    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        reloadData()
        completion?(true)
    }

    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { reloadData() }
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) { reloadData() }
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) { reloadData() }

    // MARK: selection

    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        indexPathForSelectedRow.flatMap { cellForRow(at: $0) }?.setSelected(false, animated: animated)
        indexPathForSelectedRow = indexPath
        indexPath.flatMap { cellForRow(at: $0) }?.setSelected(true, animated: animated)
        if let indexPath { scrollToRow(at: indexPath, at: scrollPosition, animated: animated) }
    }

    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        cellForRow(at: indexPath)?.setSelected(false, animated: animated)
        if indexPathForSelectedRow == indexPath { indexPathForSelectedRow = nil }
    }

    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        layoutIfNeeded()
        guard scrollPosition != .none, let cell = cellForRow(at: indexPath) else { return }
        scrollRectToVisible(cell.frame, animated: animated)
    }

    private func tapped(_ path: IndexPath) {
        guard allowsSelection else { return }
        let former = indexPathForSelectedRow
        selectRow(at: path, animated: false, scrollPosition: .none)
        let delegate = delegate as? any UITableViewDelegate
        if let former, former != path { delegate?.tableView(self, didDeselectRowAt: former) }
        delegate?.tableView(self, didSelectRowAt: path)
    }

    // MARK: layout

    private func replace(_ old: UIView?, by new: UIView?) {
        old?.removeFromSuperview()
        if let new { addSubview(new) }
        setNeedsLayout()
    }

    private func update() {
        guard isStale, let dataSource else { return }
        isStale = false
        for section in sections {
            for cell in section.cells {
                cell.removeFromSuperview()
                if let identifier = cell.reuseIdentifier { unused[identifier, default: []].append(cell) }
            }
            section.header?.removeFromSuperview()
            section.footer?.removeFromSuperview()
        }
        sections = (0..<max(0, dataSource.numberOfSections(in: self))).map { make(section: $0, dataSource) }
    }

    private func make(section: Int, _ dataSource: any UITableViewDataSource) -> Section {
        let delegate = delegate as? any UITableViewDelegate
        let header =
            delegate?.tableView(self, viewForHeaderInSection: section)
            ?? label(dataSource.tableView(self, titleForHeaderInSection: section))
        let rows = max(0, dataSource.tableView(self, numberOfRowsInSection: section))
        let cells = (0..<rows).map { row in
            let path = IndexPath(row: row, section: section)
            let cell = dataSource.tableView(self, cellForRowAt: path)
            delegate?.tableView(self, willDisplay: cell, forRowAt: path)
            return cell
        }
        let footer = label(dataSource.tableView(self, titleForFooterInSection: section))
        for view in [header, footer].compactMap({ $0 }) + cells { addSubview(view) }
        return Section(header: header, footer: footer, cells: cells)
    }

    private func label(_ title: String?) -> UIView? {
        guard let title else { return nil }
        let label = UILabel(frame: .zero)
        label.text = title
        label.font = .systemFont(ofSize: 13)
        label.textColor = .secondaryLabel
        return label
    }

    open override func layoutSubviews() {
        update()
        super.layoutSubviews()
        var top: CGFloat = 0
        func place(_ view: UIView?, height: CGFloat, inset: CGFloat = 0) {
            view?.frame = CGRect(x: inset, y: top, width: max(0, bounds.width - 2 * inset), height: height)
            if view != nil { top += height }
        }
        place(tableHeaderView, height: tableHeaderView?.frame.height ?? 0)
        for (number, section) in sections.enumerated() {
            place(section.header, height: headerHeight(number), inset: section.header is UILabel ? 16 : 0)
            for (row, cell) in section.cells.enumerated() {
                place(cell, height: height(IndexPath(row: row, section: number)))
            }
            place(section.footer, height: Self.titleHeight, inset: 16)
        }
        place(tableFooterView, height: tableFooterView?.frame.height ?? 0)
        contentSize = CGSize(width: bounds.width, height: top)
    }

    private static let automaticHeight: CGFloat = 44
    private static let titleHeight: CGFloat = 28

    private func height(_ path: IndexPath) -> CGFloat {
        let wanted = (delegate as? any UITableViewDelegate)?.tableView(self, heightForRowAt: path) ?? rowHeight
        return wanted >= 0 ? wanted : Self.automaticHeight
    }

    private func headerHeight(_ section: Int) -> CGFloat {
        let wanted = (delegate as? any UITableViewDelegate)?.tableView(self, heightForHeaderInSection: section)
        return wanted.flatMap { $0 >= 0 ? $0 : nil } ?? Self.titleHeight
    }
}
