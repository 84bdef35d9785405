/// An error that prevents the import of a whole file.
package struct ImportFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
