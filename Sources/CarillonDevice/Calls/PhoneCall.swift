import Foundation

/// A call on the phone, as the person sees it.
public struct PhoneCall: Sendable, Hashable, Identifiable {
    /// The state of a call.
    public enum State: Sendable, Hashable {
        /// The call is incoming and not answered yet.
        case ringing
        /// The connection is being made: the app is answering the call, or calls somebody who has not answered.
        case connecting
        case active
        /// The call is over, for this reason.
        case ended(End)
    }

    /// The reason why a call is over.
    public enum End: Sendable, Hashable {
        /// The person declined it.
        case declined
        /// The person hung up.
        case hungUp
        /// The app reported it, by `reportCall(with:endedAt:reason:)`.
        case remoteEnded, unanswered, answeredElsewhere, declinedElsewhere
        /// The app reported a failure, could not perform the person's action, or has ended.
        case failed
    }

    /// The app's identifier of the call.
    public let id: UUID
    /// The bundle ID of the call's app.
    public let bundleID: String
    /// Whether the person has started the call.
    public let isOutgoing: Bool
    /// The name of the other person, as the app gives it; `nil` if it gives none.
    public internal(set) var name: String?
    /// The other person's number, address or other handle; `nil` if the app gives none.
    public internal(set) var handle: String?
    /// Whether the app has reported video.
    public internal(set) var hasVideo: Bool
    /// Whether the app has put the call on hold.
    public internal(set) var isOnHold = false
    /// Whether the person is muted.
    public internal(set) var isMuted = false
    /// The state of the call.
    public internal(set) var state: State

    /// Whether the call is over.
    public var hasEnded: Bool {
        if case .ended = state { return true }
        return false
    }
}
