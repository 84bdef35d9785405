import Foundation

/// A URL that the system asks the app to open.
/// [UIOpenURLContext](https://developer.apple.com/documentation/uikit/uiopenurlcontext)
@available(iOS 13, *)
@MainActor @preconcurrency public class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    @_spi(Simulation) public init(url: URL, sourceApplication: String?) {
        self.url = url
        options = UIScene.OpenURLOptions(sourceApplication: sourceApplication)
    }
}

extension UIScene {
    /// The options with which a link reached the app.
    @MainActor @preconcurrency public class OpenURLOptions: NSObject {
        public let sourceApplication: String?
        public var openInPlace: Bool { false }
        public var annotation: Any? { nil }

        init(sourceApplication: String?) { self.sourceApplication = sourceApplication }
    }
}
