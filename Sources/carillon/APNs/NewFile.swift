import ArgumentParser
import Foundation

/// Writes files, but never overwrites a file that exists.
enum NewFile {
    /// Writes a new file.
    ///
    /// - Throws: an error whose description names the option, if the file exists or cannot be written.
    static func write(_ text: String, to path: String, option: String, isSecret: Bool) throws {
        // With O_EXCL and the final permissions, no other user can read a secret at any time.
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            let problem = String(cString: strerror(errno))
            throw ValidationError("\(option) \(path): the file cannot be created (\(problem))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.hasSuffix("\n") ? text.utf8 : (text + "\n").utf8))
        try handle.close()
    }
}
