import CarillonCore

/// A message that may not be seen any more: what the app shows of it itself should go too.
public struct RemovedMessage: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The sender has taken it back.
        case recalled
        /// The person has read it, here or on another device.
        case read
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
        self.init(identifier: removal.identifier, reason: Reason(removal.reason))
    }

    /// - Parameter reason: why the service wants it gone; `nil` when the person has read it here.
    init(_ message: PushMessage, _ reason: Removal.Reason?) {
        self.init(identifier: message.identifier, reason: reason.map(Reason.init) ?? .read)
    }
}

extension RemovedMessage.Reason {
    init(_ reason: Removal.Reason) {
        self =
            switch reason {
            case .recall: .recalled
            case .read: .read
            case .signOut: .signedOut
            }
    }
}
