/// Why a text cannot be a ``MessageID``.
public struct InvalidMessageID: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the text, such as "a message id must not be empty".
    public let description: String
}
