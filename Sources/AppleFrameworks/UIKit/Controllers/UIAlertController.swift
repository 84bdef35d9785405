import Foundation

/// A button of an alert.
/// [UIAlertAction](https://developer.apple.com/documentation/uikit/uialertaction)
@MainActor public class UIAlertAction: NSObject {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Int, Sendable {
        case `default` = 0
        case cancel = 1
        case destructive = 2
    }

    public let title: String?
    public let style: Style
    public var isEnabled = true
    let handler: (@MainActor (UIAlertAction) -> Void)?

    public init(title: String?, style: Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
    }
}

/// A question in the middle of the screen.
/// [UIAlertController](https://developer.apple.com/documentation/uikit/uialertcontroller)
///
/// Differs from iOS: without text fields, and both styles look the same.
@MainActor open class UIAlertController: UIViewController {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Int, Sendable {
        case actionSheet = 0
        case alert = 1
    }

    open var message: String?
    public private(set) var preferredStyle = Style.alert
    public private(set) var actions: [UIAlertAction] = []

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    open func addAction(_ action: UIAlertAction) { actions.append(action) }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor(white: 0, alpha: 0.3)
    }

    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        let box = UIView(frame: CGRect(x: 0, y: 0, width: 270, height: 0))
        box.backgroundColor = .systemBackground
        box.layer.cornerRadius = 14
        var y: CGFloat = 16
        for (text, font) in [(title, UIFont.boldSystemFont(ofSize: 17)), (message, .systemFont(ofSize: 13))] {
            guard let text else { continue }
            let label = UILabel(frame: CGRect(x: 16, y: y, width: 238, height: 0))
            (label.text, label.font, label.textAlignment, label.numberOfLines) = (text, font, .center, 0)
            label.frame.size.height = label.sizeThatFits(CGSize(width: 238, height: 0)).height
            box.addSubview(label)
            y = label.frame.maxY + 4
        }
        y += 12
        for action in actions {
            box.addSubview(button(for: action, at: y))
            y += 44
        }
        box.frame.size.height = y
        box.center = CGPoint(x: view.bounds.midX, y: view.bounds.midY)
        view.addSubview(box)
    }

    private func button(for action: UIAlertAction, at y: CGFloat) -> UIButton {
        let button = UIButton(frame: CGRect(x: 0, y: y, width: 270, height: 44))
        button.setTitle(action.title, for: .normal)
        button.setTitleColor(action.style == .destructive ? .systemRed : .systemBlue, for: .normal)
        button.isEnabled = action.isEnabled
        button.addAction(
            UIAction { [weak self] _ in self?.dismiss(animated: true) { action.handler?(action) } },
            for: .touchUpInside)
        return button
    }
}
