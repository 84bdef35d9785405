import CarillonCore
import Foundation

/// The record of a push, a local notification or another event: it answers "why did nothing appear?".
public struct PushTrace: Sendable, Hashable, Codable {
    /// The kind of event that the entry records.
    public enum Origin: String, Sendable, Hashable, Codable {
        case push, local
        /// The app was launched; ``PushTrace/notes`` names problems of the app's delegates or timers.
        case launch
        /// An event other than a push, a local notification or a launch; ``PushTrace/event`` names it.
        case event
    }

    /// The effect of an event on its app: whether the app was woken, and the app's answer.
    public struct Wake: Sendable, Hashable, Codable {
        /// The effect of the event on the app.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// The app ran, or was resumed, and its delegate was called.
            case called
            /// The app was launched in the background, and its delegate was called.
            case launched
            /// The phone holds the push back until the app may be woken; it keeps only the newest push of an app.
            case held
            case notWoken
        }
        /// The result that the app passed to its completion handler, or the reason why the app passed no result.
        public enum Answer: String, Sendable, Hashable, Codable {
            case newData, noData, failed
            /// The app called a handler that takes no result, or was told by a method without a handler.
            case handled
            /// The app did not call the handler within the 30 seconds of background time.
            ///
            /// If the app was in the background, the system terminated it.
            case never
            /// The app's delegate does not implement the method that reports the event.
            case notImplemented
            /// The app ended before it called the handler.
            case ended
        }

        /// The effect of the event on the app.
        public var kind: Kind
        /// The reason why the app was woken or not, as a sentence without a full stop.
        public var why: String
        /// The app's answer; `nil` until the app has answered or its time limit has passed.
        public var answer: Answer?
        /// The time of the answer, or the end of the time limit if there was no answer; `nil` until then.
        public var answeredAt: Timestamp?
        /// The number of times that the app called the completion handler; more than one is a mistake in the app.
        public var answerCount = 0
    }

    /// The number of the entry, from 1 on each phone.
    public let number: Int
    /// The kind of event that the entry records.
    public let origin: Origin
    /// The time of the event, by the phone's clock.
    public let arrivedAt: Timestamp
    /// The bundle ID of the receiving app.
    public let topic: String
    /// The push's type; `nil` if the entry is not about a push.
    public var pushType: PushType?
    /// The push's `apns-id`; `nil` if the entry is not about a push.
    public var apnsID: UUID?
    /// The push's collapse ID; `nil` if the push has none.
    public var collapseID: String?
    /// The identifier of the notification's request; `nil` if there is no notification.
    public var notificationID: String?
    /// The name of the event for which the app was called, such as a background fetch; `nil` for a push or a notification.
    public var event: String?
    /// The phone's decision where to show the notification, with the reasons; `nil` without a notification, or before the
    /// decision.
    public var presentation: Presentation?
    /// Whether the event woke the app, and why; `nil` for an event that does not wake apps.
    public var wake: Wake?
    /// Further remarks about the event, in order; each is one sentence without a full stop.
    public var notes: [String] = []
    /// Whether the entry is complete: the phone neither waits for the app's answer nor holds the push back.
    public var isFinished = false
}
