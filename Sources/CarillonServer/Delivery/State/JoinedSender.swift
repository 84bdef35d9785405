import CarillonCore

/// A process's registration as a sender in the store.
///
/// The process must keep this object while it sends, because the object may hold a lock that shows other senders that the process
/// lives.
package final class JoinedSender: Sendable {
    package let number: SenderNumber
    private let presence: (any Sendable)?

    /// Makes the registration of a sender.
    ///
    /// - Parameters:
    ///   - number: the number by which the store knows the sender.
    ///   - presence: a resource, such as a file lock, that the system releases when the process ends. The default is none.
    package init(_ number: SenderNumber, presence: (any Sendable)? = nil) {
        self.number = number
        self.presence = presence
    }
}
