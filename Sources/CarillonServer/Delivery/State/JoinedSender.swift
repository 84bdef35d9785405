import CarillonCore

/// A process's registration as a sender in the store.
///
/// The process must keep this object while it sends, because the object may hold a lock that shows other senders that the process
/// lives.
package final class JoinedSender: Sendable {
    package let number: SenderNumber
    /// The apps that could send nothing, as the store knows it from earlier senders.
    package let alarms: Set<AppID>
    private let presence: (any Sendable)?

    /// Makes the registration of a sender.
    ///
    /// - Parameters:
    ///   - number: the number by which the store knows the sender.
    ///   - alarms: the apps that could send nothing, as the store knows it. The default is none.
    ///   - presence: a resource, such as a file lock, that the system releases when the process ends. The default is none.
    package init(_ number: SenderNumber, alarms: Set<AppID> = [], presence: (any Sendable)? = nil) {
        (self.number, self.alarms) = (number, alarms)
        self.presence = presence
    }
}
