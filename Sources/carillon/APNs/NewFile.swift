import ArgumentParser
import Foundation

/// Files that must not have been there before.
enum NewFile {
    /// - Throws: a sentence that names the option, when the file exists or cannot be written.
    static func write(_ text: String, to path: String, option: String, isSecret: Bool) throws {
        // Exclusively, and with its final permissions from the start: nobody else can read it even for a moment.
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            let problem = String(cString: strerror(errno))
            throw ValidationError("\(option) \(path): the file cannot be made (\(problem))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.hasSuffix("\n") ? text.utf8 : (text + "\n").utf8))
        try handle.close()
    }
}
