import Foundation

/// The status bar over a scene.
/// [UIStatusBarManager](https://developer.apple.com/documentation/uikit/uistatusbarmanager)
///
/// Differs from iOS: the phone always draws its status bar in one style.
@available(iOS 13, *)
@MainActor @preconcurrency open class UIStatusBarManager: NSObject {
    private let application: UIApplication
    private let screen: UIScreen

    init(_ application: UIApplication, _ screen: UIScreen) {
        self.application = application
        self.screen = screen
        super.init()
    }

    /// The status bar style that the topmost controller prefers.
    open var statusBarStyle: UIStatusBarStyle {
        application.statusBarController(\.childForStatusBarStyle)?.preferredStatusBarStyle ?? .default
    }
    /// Whether the topmost controller hides the status bar. In landscape an iPhone always hides it.
    open var isStatusBarHidden: Bool {
        screen.orientation.isLandscape
            || application.statusBarController(\.childForStatusBarHidden)?.prefersStatusBarHidden == true
    }
    /// The frame of the status bar in points; empty while it is hidden.
    open var statusBarFrame: CGRect {
        isStatusBarHidden
            ? .zero : CGRect(x: 0, y: 0, width: screen.bounds.width, height: screen.safeAreaInsets.top)
    }
}

extension UIApplication {
    /// Returns the controller that decides about the status bar: the topmost controller, or the child that decides in its place.
    fileprivate func statusBarController(_ child: (UIViewController) -> UIViewController?) -> UIViewController? {
        var controller = topController
        while let next = controller.flatMap(child) { controller = next }
        return controller
    }

    private var statusBarManager: UIStatusBarManager? {
        connectedScenes.lazy.compactMap { ($0 as? UIWindowScene)?.statusBarManager }.first
    }

    /// The style of the status bar. Setting it has no effect, because view controllers decide, as on iOS by default.
    @available(iOS, introduced: 2, deprecated: 13)
    public var statusBarStyle: UIStatusBarStyle {
        get { statusBarManager?.statusBarStyle ?? .default }
        set {}
    }

    /// Whether the status bar is hidden. Setting it has no effect, because view controllers decide, as on iOS by default.
    @available(iOS, introduced: 2, deprecated: 13)
    public var isStatusBarHidden: Bool {
        get { statusBarManager?.isStatusBarHidden ?? false }
        set {}
    }

    /// The status bar's frame, in points.
    @available(iOS, introduced: 2, deprecated: 13)
    public var statusBarFrame: CGRect { statusBarManager?.statusBarFrame ?? .zero }
}
