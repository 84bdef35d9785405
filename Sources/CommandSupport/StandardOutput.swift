import Foundation
import SystemPackage

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

    /// A stream of the process to which texts are written.
    package struct Stream: Sendable {
        fileprivate let descriptor: FileDescriptor

        package static let standardOutput = Self(descriptor: FileDescriptor.standardOutput.rawValue)
        package static let standardError = Self(descriptor: FileDescriptor.standardError.rawValue)

        /// Makes a stream of an open file.
        ///
        /// - Parameter descriptor: the number of the file.
        package init(descriptor: Int32) { self.descriptor = FileDescriptor(rawValue: descriptor) }
    }

    /// Writes JSON and a line break.
    ///
    /// - Throws: ``WriteError`` if the text cannot be written.
    package static func write(json: Data) throws(WriteError) { try write(String(decoding: json, as: UTF8.self)) }

    /// Writes a text and a line break to one of the streams.
    ///
    /// - Throws: ``WriteError`` if the text cannot be written.
    package static func write(_ text: String, to stream: Stream) throws(WriteError) {
        do {
            // FileHandle would link all of Foundation, with ICU's tables, into the simulator.
            try stream.descriptor.writeAll((text + "\n").utf8)
        } catch {
            let code = error as? Errno
            throw code == .brokenPipe ? .closed : .failed(code?.description ?? "\(error)")
        }
    }
}
