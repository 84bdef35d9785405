/// A permission of a caller.
package enum APIScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// The permission to accept, replace and recall messages, and to mark them as read.
    case send
    /// The permission to ask about messages.
    case read
    /// The permission to unbind and delete installations, to sign users out and to erase users.
    case users
    /// All permissions.
    case admin
}
