import CarillonCore
import Foundation

public struct OpenedURL: Sendable, Hashable {
    public let url: URL
    public let bundleID: String
    /// In the app's own browser sheet (`SFSafariViewController`), rather than in Safari.
    public let isInApp: Bool
    public let at: Timestamp
}
