import Foundation

<<<<<<< HEAD
/// The bar above a stack of screens: a title, and the way back.
/// [UINavigationBar](https://developer.apple.com/documentation/uikit/uinavigationbar)
///
/// Differs from iOS: made by its navigation controller only; no large titles, no bar buttons.
@MainActor public class UINavigationBar: UIView {
    /// Points, below the safe area's top.
    static let height: CGFloat = 44

    private let titleLabel = UILabel(frame: .zero)
    private let backButton = UIButton(frame: .zero)
    var goBack: (@MainActor () -> Void)?

    override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = UIColor(white: 0.97, alpha: 0.94)
        titleLabel.font = .systemFont(ofSize: 17, weight: .semibold)
        titleLabel.textAlignment = .center
        backButton.addAction(UIAction { [weak self] _ in self?.goBack?() }, for: .touchUpInside)
        backButton.accessibilityIdentifier = "BackButton"
        backButton.setImage(UIImage(systemName: "chevron.left"), for: .normal)
        addSubview(titleLabel)
        addSubview(backButton)
=======
/// The bar with a screen's title at the top of a ``UINavigationController``, and the way back.
/// [UINavigationBar](https://developer.apple.com/documentation/uikit/uinavigationbar)
///
/// Differs from iOS: one title, in the middle; no large titles and no further buttons.
@MainActor open class UINavigationBar: UIView {
    /// Points, without what lies under the status bar.
    static let height: CGFloat = 44

    var onBack: (() -> Void)?
    private let title = UILabel(frame: .zero)
    private let back = UIButton(frame: .zero)
    private let line = UIView(frame: .zero)

    public override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = .systemBackground
        title.font = .systemFont(ofSize: 17, weight: .semibold)
        title.textAlignment = .center
        title.accessibilityTraits = .header
        back.titleLabel?.font = .systemFont(ofSize: 17)
        back.addAction(UIAction { [weak self] _ in self?.onBack?() }, for: .touchUpInside)
        line.backgroundColor = .separator
        for view in [title, back, line] { addSubview(view) }
>>>>>>> 60894f818420a9ab30bcca0bf8e23e3560b435b6
    }

    public required init?(coder: NSCoder) { nil }

<<<<<<< HEAD
    func show(title: String?, backTitle: String?) {
        titleLabel.text = title
        backButton.isHidden = backTitle == nil
        backButton.setTitle(backTitle, for: .normal)
    }

    public override func layoutSubviews() {
        let top = bounds.height - Self.height
        titleLabel.frame = CGRect(x: 100, y: top, width: max(0, bounds.width - 200), height: Self.height)
        backButton.frame = CGRect(x: 8, y: top, width: 92, height: Self.height)
=======
    /// - Parameter previous: the title of the screen below; `nil` when there is none to go back to.
    func show(title text: String?, previous: String?) {
        title.text = text
        back.isHidden = previous == nil
        back.setTitle(previous.map { "‹ \($0)" }, for: .normal)
        back.accessibilityLabel = previous.map { "Back to \($0)" }
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        let top = bounds.height - Self.height
        title.frame = CGRect(x: 100, y: top, width: bounds.width - 200, height: Self.height)
        back.frame = CGRect(x: 6, y: top, width: 94, height: Self.height)
        line.frame = CGRect(x: 0, y: bounds.height - 0.33, width: bounds.width, height: 0.33)
>>>>>>> 60894f818420a9ab30bcca0bf8e23e3560b435b6
    }
}
