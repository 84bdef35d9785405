/// Whom a message is for, as the sender said it.
public enum Audience: Sendable, Hashable {
    case users([String])
    /// Installations' ids.
    case devices([String])
    case everyone
}
