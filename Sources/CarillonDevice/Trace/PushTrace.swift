import CarillonCore
import Foundation

/// What became of one push, of one local notification that fired, of another event, or of a launch that had something to
/// say: the answer to "why did nothing appear?".
public struct PushTrace: Sendable, Hashable, Codable {
    public enum Origin: String, Sendable, Hashable, Codable {
        case push, local
        /// The app was launched, and the notes say what is wrong with its delegates.
        case launch
        /// The app was called for something else, which ``PushTrace/event`` names.
        case event
    }

    /// What the app's handler did with a wake.
    public struct Wake: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable {
            case called, launched, held, notWoken
        }
        public enum Answer: String, Sendable, Hashable, Codable {
            case newData, noData, failed
            /// It has called a handler that takes no result.
            case handled
            /// The 30 seconds passed without an answer; the app was terminated.
            case never
            /// The app has no such method.
            case notImplemented
            /// The app ended before it had answered.
            case ended
        }

        public var kind: Kind
        public var why: String
        /// `nil` while it is out.
        public var answer: Answer?
        public var answeredAt: Timestamp?
        /// How often the handler was called; more than once is a mistake in the app.
        public var answerCount = 0
    }

    /// Counts up, phone by phone.
    public let number: Int
    public let origin: Origin
    public let arrivedAt: Timestamp
    public let topic: String
    public var pushType: PushType?
    public var apnsID: UUID?
    public var collapseID: String?
    /// The request's identifier, where there is a notification.
    public var notificationID: String?
    /// What the app was called for, where that was neither a push nor a notification: a background fetch, say.
    public var event: String?
    public var presentation: Presentation?
    public var wake: Wake?
    /// Everything else worth knowing, in order, one sentence each.
    public var notes: [String] = []
    /// Whether nothing about it is outstanding.
    public var isFinished = false
}
