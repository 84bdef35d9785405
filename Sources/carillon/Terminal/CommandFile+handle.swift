import CommandSupport
import Foundation

extension CommandFile {
    /// Opens a file for a caller that reads it in parts.
    ///
    /// - Throws: an error whose description names the option, the path and the fault.
    static func handle(at path: String, option: String) throws -> FileHandle {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw unreadable(path, option: option) }
        return handle
    }
}
