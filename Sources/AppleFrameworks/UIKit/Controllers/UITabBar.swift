import Foundation

/// The row of tabs at the bottom of a ``UITabBarController``.
/// [UITabBar](https://developer.apple.com/documentation/uikit/uitabbar)
@MainActor open class UITabBar: UIView {
    /// Points, without what lies under the home indicator.
    static let height: CGFloat = 49

    public private(set) var items: [UITabBarItem]?
    var onChoice: ((Int) -> Void)?
    private var tabs: [Tab] = []
    private let line = UIView(frame: .zero)

    public override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = .systemBackground
        line.backgroundColor = .separator
        addSubview(line)
    }

    public required init?(coder: NSCoder) { nil }

    func show(_ items: [UITabBarItem], selectedIndex: Int) {
        if self.items != items { make(items) }
        for (index, tab) in tabs.enumerated() { tab.isSelected = index == selectedIndex }
    }

    private func make(_ items: [UITabBarItem]) {
        self.items = items
        for tab in tabs { tab.removeFromSuperview() }
        tabs = items.enumerated().map { index, item in
            let tab = Tab(item: item)
            tab.addAction(UIAction { [weak self] _ in self?.onChoice?(index) }, for: .touchUpInside)
            addSubview(tab)
            return tab
        }
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        line.frame = CGRect(x: 0, y: 0, width: bounds.width, height: 0.33)
        let width = bounds.width / CGFloat(max(tabs.count, 1))
        for (index, tab) in tabs.enumerated() {
            tab.frame = CGRect(x: CGFloat(index) * width, y: 0, width: width, height: Self.height)
        }
    }

    /// A symbol with its title below.
    private final class Tab: UIControl {
        private let picture = UIImageView(image: nil)
        private let title = UILabel(frame: .zero)

        convenience init(item: UITabBarItem) {
            self.init(frame: .zero)
            picture.image = item.image
            title.text = item.title
            title.font = .systemFont(ofSize: 10, weight: .medium)
            title.textAlignment = .center
            title.isAccessibilityElement = false
            isAccessibilityElement = true
            accessibilityTraits = .button
            accessibilityLabel = item.title
            addSubview(picture)
            addSubview(title)
            show()
        }

        override var isSelected: Bool { didSet { show() } }

        private func show() {
            let color = isSelected ? UIColor.systemBlue : .systemGray
            picture.tintColor = color
            title.textColor = color
            accessibilityTraits = isSelected ? [.button, .selected] : .button
        }

        override func layoutSubviews() {
            super.layoutSubviews()
            picture.frame = CGRect(x: (bounds.width - 26) / 2, y: 6, width: 26, height: 26)
            title.frame = CGRect(x: 0, y: 33, width: bounds.width, height: 13)
        }
    }
}
