import CarillonCore

/// That a process is one of the senders: as long as this value lives, nobody takes it for dead.
package final class JoinedSender: Sendable {
    package let number: SenderNumber
    private let presence: (any Sendable)?

    /// - Parameters:
    ///   - number: as what the store knows it.
    ///   - presence: what the system releases when the process ends, by which others know.
    package init(_ number: SenderNumber, presence: (any Sendable)? = nil) {
        self.number = number
        self.presence = presence
    }
}
