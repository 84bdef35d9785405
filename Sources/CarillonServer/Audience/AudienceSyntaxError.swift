/// Why an audience cannot be read, and where.
package struct AudienceSyntaxError: Error, Hashable {
    /// The character it is about, counted from 1; one more than there are for something that is missing at the end.
    package let position: Int
    /// What is wrong and what to write instead.
    package let reason: String
}

extension AudienceSyntaxError: CustomStringConvertible {
    package var description: String { "at character \(position): \(reason)" }
}
