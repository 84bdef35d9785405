import Foundation

/// A phone call, as the person sees it.
public struct PhoneCall: Sendable, Hashable, Identifiable {
    /// The state of a call.
    public enum State: Sendable, Hashable {
        /// The call is incoming and not answered yet.
        case ringing
        /// The call is being connected: the app is answering it, or the called person has not answered yet.
        case connecting
        case active
        /// The call is over, for the given reason.
        case ended(End)
    }

    /// The reason why a call is over.
    public enum End: Sendable, Hashable {
        /// The person declined the call.
        case declined
        /// The person hung up the call.
        case hungUp
        /// The app reported this reason with `reportCall(with:endedAt:reason:)`.
        case remoteEnded, unanswered, answeredElsewhere, declinedElsewhere
        /// The app reported a failure, could not perform the person's action, or ended during the call.
        case failed
    }

    /// The call's ID, which the app has chosen.
    public let id: UUID
    /// The bundle ID of the call's app.
    public let bundleID: String
    /// Whether the call is outgoing, rather than incoming.
    public let isOutgoing: Bool
    /// The name of the other person, as the app gives it; `nil` if it gives none.
    public internal(set) var name: String?
    /// The other person's number, address or other handle; `nil` if the app gives none.
    public internal(set) var handle: String?
    /// Whether the app describes the call as a video call.
    public internal(set) var hasVideo: Bool
    /// Whether the call can be put on hold, as the app says (`CXCallUpdate.supportsHolding`).
    public internal(set) var supportsHolding = true
    /// Whether the call is on hold.
    public internal(set) var isOnHold = false
    /// Whether the person's microphone is muted.
    public internal(set) var isMuted = false
    /// The state of the call.
    public internal(set) var state: State

    /// Whether the call is over.
    public var hasEnded: Bool {
        if case .ended = state { return true }
        return false
    }
}
