import CarillonCore
import CarillonDevice

/// The pushes of one phone: an element of the answer of `GET /pushes`.
struct PushHistory: Codable, Sendable, Equatable {
    /// The phone's id.
    var phone: String
    var name: String
    /// The pushes, oldest first.
    var pushes: [PushTrace]

    /// The ids of the phone's messages, newest first.
    ///
    /// An id may occur more than once.
    var messageIDs: [String] { pushes.reversed().flatMap { [$0.collapseID, $0.notificationID].compactMap(\.self) } }

    /// Returns a history with only the pushes of `message`.
    func about(_ message: String) -> PushHistory {
        PushHistory(
            phone: phone, name: name,
            pushes: pushes.filter { $0.notificationID == message || $0.collapseID == message })
    }
}
