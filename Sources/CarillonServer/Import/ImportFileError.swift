/// The reason for which a file of devices cannot be imported at all.
package struct ImportFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
