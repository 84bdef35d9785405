import Foundation
@_spi(Simulation) import UserNotifications

/// A button of an alert.
/// [UIAlertAction](https://developer.apple.com/documentation/uikit/uialertaction)
@MainActor @preconcurrency public class UIAlertAction: NSObject {
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

/// A question to the person: an alert in the middle of the screen, or an action sheet at the bottom.
/// [UIAlertController](https://developer.apple.com/documentation/uikit/uialertcontroller)
///
/// Differs from iOS: text fields are not supported; actions are always in a column.
@MainActor @preconcurrency open class UIAlertController: UIViewController {
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

    /// The action that is drawn bold, which must be one of ``actions``; `nil`, the default, for no bold action.
    open var preferredAction: UIAlertAction?

    /// Adds an action. A second action with the style `cancel` ends the app, as on iOS.
    open func addAction(_ action: UIAlertAction) {
        if action.style == .cancel, actions.contains(where: { $0.style == .cancel }) {
            SimulatedDevices.hasMade(mistake: "secondCancelAction", action.title ?? "without a title")
        }
        actions.append(action)
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor(white: 0, alpha: 0.3)
    }

    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        let box = UIView(frame: CGRect(x: 0, y: 0, width: 270, height: 0))
        box.backgroundColor = .systemBackground
        box.layer.cornerRadius = 14
        var y = addTexts(to: box) + 12
        for action in actionsInOrder {
            box.addSubview(button(for: action, at: y))
            y += 44
        }
        box.frame.size.height = y
        place(box)
        view.addSubview(box)
    }

    /// Places an alert's box in the middle of the screen, and an action sheet's box at the bottom; the box stays there when
    /// the phone is rotated.
    private func place(_ box: UIView) {
        box.center = CGPoint(x: view.bounds.midX, y: view.bounds.midY)
        box.autoresizingMask = [.flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin]
        if preferredStyle == .actionSheet {
            box.frame.origin.y = view.bounds.height - view.safeAreaInsets.bottom - box.bounds.height - 8
        } else {
            box.autoresizingMask.insert(.flexibleBottomMargin)
        }
    }

    /// The actions in the order of their buttons: cancel comes last.
    private var actionsInOrder: [UIAlertAction] {
        actions.filter { $0.style != .cancel } + actions.filter { $0.style == .cancel }
    }

    /// Adds the title and the message.
    ///
    /// - Returns: the y coordinate of their lower end.
    private func addTexts(to box: UIView) -> CGFloat {
        var y: CGFloat = 16
        for (text, font) in [(title, UIFont.boldSystemFont(ofSize: 17)), (message, .systemFont(ofSize: 13))] {
            guard let text else { continue }
            let label = UILabel(frame: CGRect(x: 16, y: y, width: 238, height: 0))
            (label.text, label.font, label.textAlignment, label.numberOfLines) = (text, font, .center, 0)
            label.frame.size.height = label.sizeThatFits(CGSize(width: 238, height: 0)).height
            box.addSubview(label)
            y = label.frame.maxY + 4
        }
        return y
    }

    private func button(for action: UIAlertAction, at y: CGFloat) -> UIButton {
        let button = UIButton(frame: CGRect(x: 0, y: y, width: 270, height: 44))
        button.setTitle(action.title, for: .normal)
        button.setTitleColor(action.style == .destructive ? .systemRed : .systemBlue, for: .normal)
        button.isEnabled = action.isEnabled
        let isBold = preferredAction.map { $0 === action } ?? (action.style == .cancel)
        button.titleLabel?.font = isBold ? .boldSystemFont(ofSize: 17) : .systemFont(ofSize: 17)
        button.addAction(
            UIAction { [weak self] _ in self?.dismiss(animated: true) { action.handler?(action) } },
            for: .touchUpInside)
        return button
    }
}
