import Foundation
@_spi(Simulation) import UserNotifications

/// The root of a view tree; an app's windows are stacked by level.
/// [UIWindow](https://developer.apple.com/documentation/uikit/uiwindow)
@MainActor @preconcurrency open class UIWindow: UIView {
    /// The level of a window above or below other windows.
    /// [UIWindow.Level](https://developer.apple.com/documentation/uikit/uiwindow/level)
    public struct Level: RawRepresentable, Hashable, Comparable, Sendable {
        public let rawValue: CGFloat

        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = Self(0)
        public static let statusBar = Self(1000)
        public static let alert = Self(2000)

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
        public static func + (left: Self, right: CGFloat) -> Self { Self(left.rawValue + right) }
        public static func - (left: Self, right: CGFloat) -> Self { Self(left.rawValue - right) }
        public static func += (left: inout Self, right: CGFloat) { left = left + right }
        public static func -= (left: inout Self, right: CGFloat) { left = left - right }
    }

    let owner: (any SimulatedAppProcess)?

    @available(iOS 13, *)
    public weak var windowScene: UIWindowScene? { didSet { changed() } }
    public var windowLevel = Level.normal { didSet { owner?.application.orderWindows() } }
    public var rootViewController: UIViewController? {
        didSet { replaceRoot(oldValue) }
    }

    public override init(frame: CGRect) {
        owner = SimulatedDevices.currentProcess as? any SimulatedAppProcess
        super.init(frame: frame)
        isHidden = true
        windowScene = owner?.application.connectedScenes.compactMap { $0 as? UIWindowScene }.first
        owner?.application.madeOrShown(self)
    }

    @available(iOS 13, *)
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: windowScene.screen.bounds)
        self.windowScene = windowScene
    }

    public required init?(coder: NSCoder) { nil }

    open override var window: UIWindow? { self }
    open override var next: UIResponder? { owner?.application }

    /// Whether the window is hidden. The default is `true`.
    ///
    /// A hidden window stays in the app's `windows` while some code keeps a strong reference to it.
    open override var isHidden: Bool {
        didSet { owner?.application.visibilityChanged(of: self) }
    }

    public var screen: UIScreen { owner?.screen ?? UIScreen.main }
    public var isKeyWindow: Bool { owner?.application.currentKeyWindow === self }
    @available(iOS 15, *)
    open var canBecomeKey: Bool { true }

    open func makeKey() {
        guard canBecomeKey, let application = owner?.application, !isKeyWindow else { return }
        let old = application.currentKeyWindow
        application.currentKeyWindow = self
        if let old {
            old.resignKey()
            NotificationCenter.default.postInOrder(name: Self.didResignKeyNotification, object: old)
        }
        becomeKey()
        NotificationCenter.default.postInOrder(name: Self.didBecomeKeyNotification, object: self)
    }

    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    open func becomeKey() {}
    open func resignKey() {}

    /// Delivers the touches of an event to the touched views and to their gesture recognisers.
    open func sendEvent(_ event: UIEvent) { TouchDelivery.deliver(event, in: self) }

    private func replaceRoot(_ old: UIViewController?) {
        guard old !== rootViewController else { return }
        old?.viewIfLoaded?.removeFromSuperview()
        guard let view = rootViewController?.view else { return }
        view.frame = bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        insertSubview(view, at: 0)
        if !isHidden { rootViewController?.appear(animated: false) }
    }
}

public typealias UIWindowLevel = UIWindow.Level

extension UIWindow {
    public nonisolated static let didBecomeVisibleNotification = Notification.Name(
        "UIWindowDidBecomeVisibleNotification")
    public nonisolated static let didBecomeHiddenNotification = Notification.Name("UIWindowDidBecomeHiddenNotification")
    public nonisolated static let didBecomeKeyNotification = Notification.Name("UIWindowDidBecomeKeyNotification")
    public nonisolated static let didResignKeyNotification = Notification.Name("UIWindowDidResignKeyNotification")
}

/// A weak reference to a window; `nil` once the window is neither shown nor strongly referenced.
struct WeakWindow {
    weak var window: UIWindow?
}

extension UIApplication {
    /// All windows, shown or hidden, by level.
    var allWindows: [UIWindow] {
        let windows = madeWindows.compactMap(\.window).enumerated()
        return windows.sorted { ($0.element.windowLevel, $0.offset) < ($1.element.windowLevel, $1.offset) }
            .map(\.element)
    }

    func madeOrShown(_ window: UIWindow) {
        madeWindows.removeAll { $0.window == nil || $0.window === window }
        madeWindows.append(WeakWindow(window: window))
    }

    func visibilityChanged(of window: UIWindow) {
        let isListed = windowsBackToFront.contains { $0 === window }
        guard isListed == window.isHidden else { return }
        if window.isHidden {
            windowsBackToFront.removeAll { $0 === window }
            if currentKeyWindow === window { currentKeyWindow = nil }
            NotificationCenter.default.postInOrder(name: UIWindow.didBecomeHiddenNotification, object: window)
        } else {
            windowsBackToFront.append(window)
            madeOrShown(window)
            window.rootViewController?.appear(animated: false)
            NotificationCenter.default.postInOrder(name: UIWindow.didBecomeVisibleNotification, object: window)
        }
        orderWindows()
    }

    func orderWindows() {
        // Stable: windows of one level stay in the order in which they were shown.
        let ordered = windowsBackToFront.enumerated().sorted {
            ($0.element.windowLevel, $0.offset) < ($1.element.windowLevel, $1.offset)
        }
        windowsBackToFront = ordered.map(\.element)
        backend.viewsChanged()
    }
}
