import CarillonCore
import Foundation

/// What became of a push, of a local notification or of another event: the answer to "why did nothing appear?".
public struct PushTrace: Sendable, Hashable, Codable {
    /// What the entry is about.
    public enum Origin: String, Sendable, Hashable, Codable {
        case push, local
        /// The app was launched, and the notes say what is wrong with its delegates or its timers.
        case launch
        /// Another event, which ``PushTrace/event`` names.
        case event
    }

    /// Whether the app was woken, and what it did with it.
    public struct Wake: Sendable, Hashable, Codable {
        /// What the phone did with the app.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// It ran, or was resumed, and its delegate was called.
            case called
            /// It was launched in the background, and its delegate was called.
            case launched
            /// The push is held until the app may be woken; only the newest is.
            case held
            case notWoken
        }
        /// What the app's completion handler was called with.
        public enum Answer: String, Sendable, Hashable, Codable {
            case newData, noData, failed
            /// The handler takes no result.
            case handled
            /// It was not called within the 30 seconds of background time; an app in the background was terminated for
            /// it.
            case never
            /// The app's delegate has no such method.
            case notImplemented
            /// The app ended before it called it.
            case ended
        }

        /// What the phone did with the app.
        public var kind: Kind
        /// Why it did, as a sentence without a full stop.
        public var why: String
        /// What the app answered; `nil` until then.
        public var answer: Answer?
        /// When the app answered, or its time was over; `nil` until then.
        public var answeredAt: Timestamp?
        /// How often the app called the completion handler; more than once is a mistake in the app.
        public var answerCount = 0
    }

    /// Counts up from 1, phone by phone.
    public let number: Int
    /// What the entry is about.
    public let origin: Origin
    /// When it arrived or happened, by the phone's clock.
    public let arrivedAt: Timestamp
    /// The bundle ID of the app that it is for.
    public let topic: String
    /// The push's type; `nil` for what is no push.
    public var pushType: PushType?
    /// The push's `apns-id`; `nil` for what is no push.
    public var apnsID: UUID?
    /// The push's collapse ID; `nil` without one.
    public var collapseID: String?
    /// The identifier of the notification's request; `nil` where there is no notification.
    public var notificationID: String?
    /// What the app was called for, such as a background fetch; `nil` for a push or a notification.
    public var event: String?
    /// Where it was shown and why; `nil` when there was nothing to show, or before that is decided.
    public var presentation: Presentation?
    /// Whether it woke the app and why; `nil` for what does not wake apps.
    public var wake: Wake?
    /// What else is worth knowing, in order, one sentence each without a full stop.
    public var notes: [String] = []
    /// Whether nothing about it is outstanding.
    public var isFinished = false
}
