/// An error that makes a whole file impossible to import.
package struct ImportFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
