import CarillonCore

/// A message that may not be seen any more: what the app shows of it itself should go too.
public struct RemovedMessage: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The sender has taken it back.
        case recalled
        /// The person has read it on another device.
        case readElsewhere
        /// Its time has passed.
        case expired
        /// It was meant for somebody who has signed out.
        case signedOut
    }

    /// The notification's `request.identifier`.
    public var identifier: String
    public var reason: Reason

    public init(identifier: String, reason: Reason) {
        self.identifier = identifier
        self.reason = reason
    }

    init(_ removal: PushRemoval) {
        identifier = removal.identifier
        reason =
            switch removal.reason {
            case .recall: .recalled
            case .read: .readElsewhere
            case .signOut: .signedOut
            }
    }
}
