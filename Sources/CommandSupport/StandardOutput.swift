import Foundation

/// Writes all output of the programs to standard output.
///
/// The type writes each text at once, whereas `print` buffers output to a pipe. If the pipe is closed, as in `carillon demo |
/// head -1`, the type throws ``WriteError/closed``, and the program ends without a message.
package enum StandardOutput {
    /// An error that explains why a text was not written.
    package enum WriteError: Error, CustomStringConvertible {
        /// The reader of standard output has closed its end of the pipe.
        case closed
        /// Writing failed for another reason, such as a full disk; the text is the system's reason.
        case failed(String)

        package var description: String {
            switch self {
            case .closed: "standard output is closed"
            case .failed(let reason): "standard output cannot be written: \(reason)"
            }
        }
    }

    /// The exit status if standard output was closed: 128 plus the number of SIGPIPE, as in a shell.
    package static let closedExitStatus: Int32 = 128 + SIGPIPE

    /// Writes a text and a line break.
    ///
    /// - Throws: ``WriteError`` if the text cannot be written.
    package static func write(_ text: String) throws(WriteError) { try write(text, to: .standardOutput) }

    /// Writes JSON and a line break.
    ///
    /// - Throws: ``WriteError`` if the text cannot be written.
    package static func write(json: Data) throws(WriteError) { try write(String(decoding: json, as: UTF8.self)) }

    package static func write(_ text: String, to handle: FileHandle) throws(WriteError) {
        do {
            try handle.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            let code = systemCode(of: error)
            throw code == EPIPE ? .closed : .failed(code.map { String(cString: strerror($0)) } ?? "\(error)")
        }
    }

    /// Returns the `errno` that an error of Foundation contains; `nil` if it contains none.
    private static func systemCode(of error: any Error) -> Int32? {
        var next: (any Error)? = error
        while let current = next as? NSError {
            if current.domain == NSPOSIXErrorDomain { return Int32(current.code) }
            next = current.userInfo[NSUnderlyingErrorKey] as? any Error
        }
        return nil
    }
}
