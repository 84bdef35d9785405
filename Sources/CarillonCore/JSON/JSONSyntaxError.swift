/// What is wrong with a text that should be JSON.
public struct JSONSyntaxError: Error, Sendable, CustomStringConvertible {
    /// A sentence for a person, with the place in the text.
    public let description: String

    init(description: String) { self.description = description }
}
