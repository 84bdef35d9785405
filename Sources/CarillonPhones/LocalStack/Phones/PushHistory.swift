import CarillonCore
import CarillonDevice

/// The pushes to one phone: an element of the answer to `GET /pushes`.
struct PushHistory: Codable, Sendable, Equatable {
    /// A message that APNs has not delivered to the phone.
    struct Undelivered: Codable, Sendable, Equatable {
        /// The message's id.
        var message: String
        /// The reason why the message is not on the phone, as a sentence.
        var why: String
    }

    /// The phone's id.
    var phone: String
    var name: String
    /// Whether the phone is in Airplane Mode.
    var isOffline = false
    /// The pushes, oldest first.
    var pushes: [PushTrace]
    /// The messages that APNs stores for the phone or has discarded, newest first.
    var undelivered: [Undelivered] = []

    /// Whether there is no push and no undelivered message.
    var isEmpty: Bool { pushes.isEmpty && undelivered.isEmpty }

    /// The ids of the phone's messages, newest first.
    ///
    /// An id may occur more than once.
    var messageIDs: [String] {
        undelivered.map(\.message)
            + pushes.reversed().flatMap { [$0.collapseID, $0.notificationID].compactMap(\.self) }
    }

    /// Returns a history with only the pushes of `message`.
    func about(_ message: String) -> PushHistory {
        var history = self
        history.pushes = pushes.filter { $0.notificationID == message || $0.collapseID == message }
        history.undelivered = undelivered.filter { $0.message == message }
        return history
    }

    /// Returns a history with only the newest pushes.
    func newest(_ count: Int) -> PushHistory {
        var history = self
        history.pushes = Array(pushes.suffix(count))
        return history
    }
}
