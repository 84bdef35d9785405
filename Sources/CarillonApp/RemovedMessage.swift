import CarillonCore
import CarillonMessaging

extension Carillon {
    /// A message that must not be visible any more: what the app shows of it itself should go too.
    public struct Removal: Sendable, Hashable {
        /// Why a message must not be visible any more.
        public enum Reason: Sendable, Hashable {
            /// The sender has taken it back.
            case recalled
            /// The person has read it, here or on another device.
            case read
            /// Its `until` has passed, by the service's clock.
            case expired
            /// It was meant for a user who has signed out.
            case signedOut
        }

        /// The notification's `request.identifier`: ``Carillon/Message/identifier``.
        public var identifier: String
        /// Why it must not be visible any more.
        public var reason: Reason

        /// Makes a removal, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - identifier: the notification's `request.identifier`.
        ///   - reason: why the message must not be visible any more.
        public init(identifier: String, reason: Reason) {
            self.identifier = identifier
            self.reason = reason
        }

        init(_ removal: PushRemoval) {
            self.init(identifier: removal.identifier, reason: Reason(removal.reason))
        }

        /// - Parameters:
        ///   - message: one that a tombstone stops.
        ///   - reason: the tombstone's; `nil` when the person has read the message on this phone.
        init(_ message: PushMessage, _ reason: CarillonCore.Removal.Reason?) {
            self.init(identifier: message.identifier, reason: reason.map(Reason.init) ?? .read)
        }
    }
}

extension Carillon.Removal.Reason {
    init(_ reason: CarillonCore.Removal.Reason) {
        self =
            switch reason {
            // For this person it is as if it had been taken back: the message is for others now.
            case .recall, .replaced: .recalled
            case .read: .read
            case .signOut: .signedOut
            case .expired: .expired
            }
    }
}
