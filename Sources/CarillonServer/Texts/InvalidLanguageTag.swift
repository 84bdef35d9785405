/// An error that says why a text is not a language tag, and what to write instead.
package struct InvalidLanguageTag: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
