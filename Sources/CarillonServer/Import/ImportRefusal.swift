/// The refusal of one record of an imported file, with the reason.
package struct ImportRefusal: Error, Sendable, Hashable, Codable {
    /// The line on which the record begins, counted from 1.
    package var line: Int
    package var reason: String
}
