import UserNotifications

/// A notification that the person has expanded with a long press.
public struct ExpandedNotification: Sendable {
    /// The bundle ID of the notification's app.
    public let bundleID: String
    /// The notification as the app receives it.
    public let notification: UNNotification
    /// The content extension's view under the notification; `nil` if no content extension draws the notification's category.
    public let content: Content?

    /// The view of a content extension.
    public struct Content: Sendable, Hashable {
        /// The width in points, which is the width of the screen.
        public let width: Double
        /// The height in points: the controller's preferred height, or without one, the width times the extension's initial
        /// ratio.
        public let height: Double
        /// Whether the notification's own text is hidden.
        public let hidesDefaultContent: Bool
        /// The play button; `nil` if the controller asks for none.
        public let mediaButton: MediaButton?
    }

    /// The button that plays the content extension's media (`mediaPlayPauseButtonType`).
    public struct MediaButton: Sendable, Hashable {
        /// Whether the button is drawn over the content, partly transparent.
        public let isOverlay: Bool
        /// The button's frame in the extension's view, in points.
        public let frame: ViewSnapshot.Frame
        /// The button's colour, as `#rrggbbaa`.
        public let color: String
        /// Whether the button shows a pause sign instead of a play sign.
        public let isPlaying: Bool
    }
}
