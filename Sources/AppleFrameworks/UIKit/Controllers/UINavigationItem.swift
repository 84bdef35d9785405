import Foundation

/// The contents of a navigation bar for one screen.
/// [UINavigationItem](https://developer.apple.com/documentation/uikit/uinavigationitem)
@MainActor @preconcurrency public class UINavigationItem: NSObject {
    /// The choice of the back button's text.
    @available(iOS 14, *)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum BackButtonDisplayMode: Int, Sendable {
        /// The button shows ``UINavigationItem/backButtonTitle``, else the screen's title, else "Back".
        case `default` = 0
        /// The button shows "Back".
        case generic = 1
        /// The button shows only the arrow.
        case minimal = 2
    }

    /// The size in which the screen's title is drawn.
    @available(iOS 11, *)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum LargeTitleDisplayMode: Int, Sendable {
        case automatic = 0
        case always = 1
        case never = 2
    }

    public var title: String? { didSet { changed?() } }
    /// The title of the back button that leads to this screen; `nil` for the screen's title.
    @available(iOS 11, *)
    public var backButtonTitle: String? { didSet { changed?() } }
    @available(iOS 14, *)
    public var backButtonDisplayMode = BackButtonDisplayMode.default { didSet { changed?() } }
    /// Whether the back button is hidden, so that only the app's own code leads back.
    public var hidesBackButton = false { didSet { changed?() } }
    /// The size of the screen's title. Stored without effect, because large titles are not supported.
    @available(iOS 11, *)
    public var largeTitleDisplayMode = LargeTitleDisplayMode.automatic
    var changed: (@MainActor () -> Void)?

    public init(title: String) { self.title = title }

    /// The text that the back button to this screen shows.
    var shownBackTitle: String {
        switch backButtonDisplayMode {
        case .default: backButtonTitle ?? title.flatMap { $0.isEmpty ? nil : $0 } ?? "Back"
        case .generic: "Back"
        case .minimal: ""
        }
    }
}
