/// What a caller may do.
package enum APIScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// Accept, replace and recall messages; mark as read.
    case send
    /// Ask about messages.
    case read
    /// Unbind and delete installations, sign users out, erase users.
    case users
    /// Everything.
    case admin
}
