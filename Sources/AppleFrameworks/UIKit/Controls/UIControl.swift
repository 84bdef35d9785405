import Foundation

/// A view that a person presses or switches.
/// [UIControl](https://developer.apple.com/documentation/uikit/uicontrol)
///
/// Differs from iOS: actions are closures (``UIAction``); there is no `#selector` on Linux.
@MainActor @preconcurrency open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let touchDown = Self(rawValue: 1)
        public static let touchUpInside = Self(rawValue: 64)
        public static let touchUpOutside = Self(rawValue: 128)
        public static let touchCancel = Self(rawValue: 256)
        public static let valueChanged = Self(rawValue: 4096)
        public static let primaryActionTriggered = Self(rawValue: 8192)
        public static let editingDidBegin = Self(rawValue: 1 << 16)
        public static let editingChanged = Self(rawValue: 1 << 17)
        public static let editingDidEnd = Self(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Self(rawValue: 1 << 19)
    }

    public struct State: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: Self = []
        public static let highlighted = Self(rawValue: 1)
        public static let disabled = Self(rawValue: 2)
        public static let selected = Self(rawValue: 4)
    }

    open var isEnabled = true { didSet { changed() } }
    open var isSelected = false { didSet { changed() } }
    open var isHighlighted = false { didSet { changed() } }

    private var actions: [(action: UIAction, events: Event)] = []

    @available(iOS 14, *)
    open func addAction(_ action: UIAction, for controlEvents: Event) { actions.append((action, controlEvents)) }

    @available(iOS 14, *)
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions.removeAll { $0.action === action && $0.events == controlEvents }
    }

    open func sendActions(for controlEvents: Event) {
        for entry in actions where !entry.events.isDisjoint(with: controlEvents) { entry.action.perform(self) }
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard isEnabled else { return }
        isHighlighted = true
        sendActions(for: .touchDown)
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard isEnabled, isHighlighted else { return }
        isHighlighted = false
        let isInside = touches.first.map { point(inside: $0.location(in: self), with: event) } ?? false
        sendActions(for: isInside ? [.touchUpInside, .primaryActionTriggered] : .touchUpOutside)
    }

    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard isHighlighted else { return }
        isHighlighted = false
        sendActions(for: .touchCancel)
    }
}

/// A closure with a title, which a control runs. [UIAction](https://developer.apple.com/documentation/uikit/uiaction)
@available(iOS 13, *)
@MainActor @preconcurrency open class UIAction: NSObject {
    public let title: String
    public let image: UIImage?
    public private(set) weak var sender: UIControl?
    private let handler: @MainActor (UIAction) -> Void

    public init(title: String = "", image: UIImage? = nil, handler: @escaping @MainActor (UIAction) -> Void) {
        self.title = title
        self.image = image
        self.handler = handler
    }

    func perform(_ sender: UIControl) {
        self.sender = sender
        handler(self)
    }
}
