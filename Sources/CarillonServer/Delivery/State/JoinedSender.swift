import CarillonCore

/// A process's registration as a sender: while this value lives, no other sender takes the process for dead.
package final class JoinedSender: Sendable {
    package let number: SenderNumber
    private let presence: (any Sendable)?

    /// - Parameters:
    ///   - number: the number by which the store knows the sender.
    ///   - presence: a resource, such as a lock, that the system releases when the process ends, so that others notice.
    package init(_ number: SenderNumber, presence: (any Sendable)? = nil) {
        self.number = number
        self.presence = presence
    }
}
