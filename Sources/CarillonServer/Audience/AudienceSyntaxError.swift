/// A syntax error in an audience expression, with its position.
package struct AudienceSyntaxError: Error, Hashable {
    /// The position of the faulty character, counted from 1.
    ///
    /// If something is missing at the end, the position is one beyond the last character.
    package let position: Int
    /// The fault, with a correction.
    package let reason: String
}

extension AudienceSyntaxError: CustomStringConvertible {
    package var description: String { "at character \(position): \(reason)" }
}
