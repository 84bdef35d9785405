import Foundation

/// A call on the phone, as the person sees it.
public struct PhoneCall: Sendable, Hashable, Identifiable {
    /// The state of a call.
    public enum State: Sendable, Hashable {
        /// The call comes in, and nobody has answered it.
        case ringing
        /// The call is under way: the app is answering it, or calls somebody who has not answered.
        case connecting
        case active
        /// The call is over, for the reason that the phone or the app gives.
        case ended(End)
    }

    /// The reason why a call is over.
    public enum End: Sendable, Hashable {
        /// The person declined it.
        case declined
        /// The person hung up.
        case hungUp
        /// The app said so, by `reportCall(with:endedAt:reason:)`.
        case remoteEnded, unanswered, answeredElsewhere, declinedElsewhere
        /// The app reported a failure, could not perform the person's action, or has ended.
        case failed
    }

    /// The app's name for it.
    public let id: UUID
    /// The app whose call it is.
    public let bundleID: String
    /// Whether the person has made it.
    public let isOutgoing: Bool
    /// The name of the caller, or of the person called, as the app gives it; `nil` without one.
    public internal(set) var name: String?
    /// The number, address or other handle; `nil` without one.
    public internal(set) var handle: String?
    /// Whether the app has said so.
    public internal(set) var hasVideo: Bool
    /// Whether it waits: the app has put it on hold.
    public internal(set) var isOnHold = false
    /// Whether the person is not heard.
    public internal(set) var isMuted = false
    /// The state of the call.
    public internal(set) var state: State

    /// Whether it is over.
    public var hasEnded: Bool {
        if case .ended = state { return true }
        return false
    }
}
