/// An error that explains why a text is no language tag, and gives an example of a valid tag.
package struct InvalidLanguageTag: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
