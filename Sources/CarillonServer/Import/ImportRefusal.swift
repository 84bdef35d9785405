/// The reason why one line was not imported.
package struct ImportRefusal: Error, Sendable, Hashable, Codable {
    /// The line on which the record begins, counted from 1.
    package var line: Int
    package var reason: String
}
