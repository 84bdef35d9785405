import Foundation

/// What the store does to the files of its folder, none of which it keeps open or locks.
///
/// iOS ends an app that is suspended while it holds a lock on a file of an App Group, and an extension that waited for it
/// would show nothing. So every file has one writer, and readers know what is whole.
package protocol StoreFiles: Sendable {
    /// Makes the folders.
    func prepare()
    /// The names of the files in a folder; empty when there is none.
    func names(in folder: StoreFolder) -> [String]
    /// Reads a file, or the rest of it.
    ///
    /// - Parameters:
    ///   - name: of the file.
    ///   - folder: in which it is.
    ///   - offset: in bytes; 0 for the whole file.
    /// - Returns: `nil` when the file does not exist; empty when it ends there.
    /// - Throws: ``StoreError/unreadable(file:reason:)`` when it may not be read now.
    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data?
    /// Writes a whole file: afterwards, also after a crash, it has the old contents or the new.
    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError)
    /// Adds to the end of a file; after a crash a part of it may be there.
    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError)
    /// Removes a file, if it is there.
    func remove(_ name: String, in folder: StoreFolder)
    /// Renames a file that could not be decoded: it gets the ending `corrupt`.
    func putAside(_ name: String, in folder: StoreFolder)
}
