/// A syntax error in an audience expression, with its position.
package struct AudienceSyntaxError: Error, Hashable {
    /// The position of the faulty character, counted from 1.
    ///
    /// It is one beyond the last character if something is missing at the end.
    package let position: Int
    /// The fault, and a correction.
    package let reason: String
}

extension AudienceSyntaxError: CustomStringConvertible {
    package var description: String { "at character \(position): \(reason)" }
}
