/// A syntax error in an audience, with its place.
package struct AudienceSyntaxError: Error, Hashable {
    /// The position of the faulty character, counted from 1; one beyond the last for something missing at the end.
    package let position: Int
    /// The fault, and what to write instead.
    package let reason: String
}

extension AudienceSyntaxError: CustomStringConvertible {
    package var description: String { "at character \(position): \(reason)" }
}
