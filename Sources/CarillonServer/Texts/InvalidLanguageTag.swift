/// The reason for which a text names no language, and what to write instead.
package struct InvalidLanguageTag: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
