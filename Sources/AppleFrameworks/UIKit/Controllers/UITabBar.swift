import Foundation

/// The bar below several screens, with a symbol and a title to tap for each screen.
/// [UITabBar](https://developer.apple.com/documentation/uikit/uitabbar)
///
/// Differs from iOS: only a tab-bar controller makes a tab bar.
@MainActor @preconcurrency public class UITabBar: UIView {
    /// The bar's height above the safe area's bottom edge, in points.
    static let height: CGFloat = 49

    private var tabs: [TabButton] = []
    var choose: (@MainActor (Int) -> Void)?

    /// The colour of the bar. Stored without effect.
    public var barTintColor: UIColor?
    /// Whether the bar is translucent. Stored without effect.
    public var isTranslucent = true
    /// The style of the bar. Stored without effect.
    public var barStyle = UIBarStyle.default
    /// The image of the bar's shadow. Stored without effect.
    public var shadowImage: UIImage?
    /// The image behind the tabs. Stored without effect.
    public var backgroundImage: UIImage?
    /// The colour of the unselected tabs. Stored without effect.
    @available(iOS 10, *)
    public var unselectedItemTintColor: UIColor?
    /// The appearance at the standard height. Stored without effect.
    @available(iOS 13, *)
    public var standardAppearance = UITabBarAppearance()
    /// The appearance while the content is scrolled to its edge. Stored without effect.
    @available(iOS 15, *)
    public var scrollEdgeAppearance: UITabBarAppearance?

    public override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = UIColor(hex: 0xF7F7F7, dark: 0x161616, alpha: 0.94)
    }

    public required init?(coder: NSCoder) { nil }

    public var items: [UITabBarItem]? { tabs.map(\.item) }
    public var selectedItem: UITabBarItem? { tabs.first(where: \.isSelected)?.item }

    func show(_ items: [UITabBarItem], selectedIndex: Int) {
        for tab in tabs { tab.removeFromSuperview() }
        tabs = items.enumerated().map { index, item in
            let tab = TabButton(item: item)
            tab.isSelected = index == selectedIndex
            tab.addAction(UIAction { [weak self] _ in self?.choose?(index) }, for: .touchUpInside)
            addSubview(tab)
            return tab
        }
        setNeedsLayout()
        layoutIfNeeded()
    }

    public override func layoutSubviews() {
        let width = bounds.width / CGFloat(max(1, tabs.count))
        for (index, tab) in tabs.enumerated() {
            tab.frame = CGRect(x: CGFloat(index) * width, y: 0, width: width, height: Self.height)
        }
    }
}

/// One tab: its symbol above its title, and its badge.
@MainActor final class TabButton: UIControl {
    let item: UITabBarItem
    private let symbol = UIImageView(frame: .zero)
    private let title = UILabel(frame: .zero)
    private let badge = UILabel(frame: .zero)

    override var isSelected: Bool { didSet { colour() } }

    init(item: UITabBarItem) {
        self.item = item
        super.init(frame: .zero)
        isAccessibilityElement = true
        accessibilityTraits = .button
        accessibilityLabel = item.title
        symbol.image = item.image
        (title.text, title.font, title.textAlignment) = (item.title, .systemFont(ofSize: 10, weight: .medium), .center)
        (badge.text, badge.font, badge.textAlignment) = (item.badgeValue, .systemFont(ofSize: 12), .center)
        (badge.textColor, badge.backgroundColor) = (.white, .systemRed)
        badge.layer.cornerRadius = 9
        badge.isHidden = item.badgeValue == nil
        for view in [symbol, title, badge] { addSubview(view) }
        colour()
    }

    required init?(coder: NSCoder) { nil }

    override func layoutSubviews() {
        symbol.frame = CGRect(x: bounds.midX - 12, y: 5, width: 24, height: 24)
        title.frame = CGRect(x: 0, y: 32, width: bounds.width, height: 14)
        badge.frame = CGRect(x: bounds.midX + 6, y: 2, width: 18, height: 18)
    }

    private func colour() {
        let color = isSelected ? UIColor.systemBlue : .systemGray
        symbol.tintColor = color
        title.textColor = color
    }
}
