import CarillonCore
import Foundation

/// A link that an app has opened.
public struct OpenedURL: Sendable, Hashable {
    /// The link, whether or not an app on the phone takes it.
    public let url: URL
    /// The app that has opened it; `com.apple.mobilesafari` for a link that the person tapped.
    public let bundleID: String
    /// Whether it is in the app's own browser sheet (`SFSafariViewController`), rather than in Safari.
    public let isInApp: Bool
    /// The time at which the link was opened, by the phone's clock.
    public let at: Timestamp
}
