import Foundation

/// The bar above a stack of screens, with a title and a back button.
/// [UINavigationBar](https://developer.apple.com/documentation/uikit/uinavigationbar)
///
/// Differs from iOS: only a navigation controller makes a bar; large titles and bar buttons are not supported.
@MainActor @preconcurrency public class UINavigationBar: UIView {
    /// The bar's height below the safe area's top edge, in points.
    static let height: CGFloat = 44

    private let titleLabel = UILabel(frame: .zero)
    private let backButton = UIButton(frame: .zero)
    var goBack: (@MainActor () -> Void)?
    private var shownItems: [UINavigationItem] = []

    /// The navigation items of the controller's stack; the bar has none of its own.
    public var items: [UINavigationItem]? { shownItems }
    public var topItem: UINavigationItem? { shownItems.last }
    /// The navigation item of the screen to which the back button leads.
    public var backItem: UINavigationItem? { shownItems.dropLast().last }

    /// The colour of the bar. Stored without effect.
    public var barTintColor: UIColor?
    /// Whether the bar is translucent. Stored without effect.
    public var isTranslucent = true
    /// The attributes of the title. Stored without effect.
    public var titleTextAttributes: [NSAttributedString.Key: Any]?
    /// The attributes of a large title. Stored without effect.
    @available(iOS 11, *)
    public var largeTitleTextAttributes: [NSAttributedString.Key: Any]?
    /// The style of the bar. Stored without effect.
    public var barStyle = UIBarStyle.default
    /// The image of the bar's shadow. Stored without effect.
    public var shadowImage: UIImage?
    /// The appearance at the standard height. Stored without effect.
    @available(iOS 13, *)
    public var standardAppearance = UINavigationBarAppearance()
    /// The appearance at the compact height. Stored without effect.
    @available(iOS 13, *)
    public var compactAppearance: UINavigationBarAppearance?
    /// The appearance while the content is scrolled to its edge. Stored without effect.
    @available(iOS 13, *)
    public var scrollEdgeAppearance: UINavigationBarAppearance?
    private var backgroundImages: [UIBarMetrics: UIImage] = [:]

    /// Stores the image without effect.
    public func setBackgroundImage(_ backgroundImage: UIImage?, for barMetrics: UIBarMetrics) {
        backgroundImages[barMetrics] = backgroundImage
    }

    public func backgroundImage(for barMetrics: UIBarMetrics) -> UIImage? { backgroundImages[barMetrics] }

    /// Whether titles are large. Stored without effect, because large titles are not supported.
    @available(iOS 11, *)
    public var prefersLargeTitles = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = UIColor(hex: 0xF7F7F7, dark: 0x161616, alpha: 0.94)
        titleLabel.font = .systemFont(ofSize: 17, weight: .semibold)
        titleLabel.textAlignment = .center
        backButton.addAction(UIAction { [weak self] _ in self?.goBack?() }, for: .touchUpInside)
        backButton.accessibilityIdentifier = "BackButton"
        backButton.setImage(UIImage(systemName: "chevron.left"), for: .normal)
        addSubview(titleLabel)
        addSubview(backButton)
    }

    public required init?(coder: NSCoder) { nil }

    func show(_ items: [UINavigationItem]) {
        shownItems = items
        titleLabel.text = topItem?.title
        backButton.isHidden = backItem == nil || topItem?.hidesBackButton == true
        backButton.setTitle(backItem?.shownBackTitle, for: .normal)
    }

    public override func layoutSubviews() {
        let top = bounds.height - Self.height
        titleLabel.frame = CGRect(x: 100, y: top, width: max(0, bounds.width - 200), height: Self.height)
        backButton.frame = CGRect(x: 8, y: top, width: 92, height: Self.height)
    }
}
