import UserNotifications

/// A notification that the person has expanded with a long press.
public struct ExpandedNotification: Sendable {
    public let bundleID: String
    public let notification: UNNotification
    /// What a content extension shows under it; `nil` where the app has none for its category.
    public let content: Content?

    public struct Content: Sendable, Hashable {
        /// Points. The height is the controller's preferred one, else its category's ratio of the width.
        public let width, height: Double
        /// Whether the notification's own text is hidden.
        public let hidesDefaultContent: Bool
        public let mediaButton: MediaButton?
    }

    /// The button over a film or a sound.
    public struct MediaButton: Sendable, Hashable {
        public let isOverlay: Bool
        /// Points, in the extension's view.
        public let frame: ViewSnapshot.Frame
        /// `#rrggbbaa`.
        public let color: String
        /// A pause sign rather than a play sign.
        public let isPlaying: Bool
    }
}
