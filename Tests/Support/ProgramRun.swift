import Foundation

/// A program that ran to its end.
package struct ProgramRun: Sendable {
    package let status: Int32
    package let data: Data
    package let errors: String

    package var output: String { String(decoding: data, as: UTF8.self) }
    package var lines: [String] { output.split(separator: "\n").map(String.init) }
    package var transcript: String { "exit status \(status)\n\(output)\n\(errors)" }

    /// Runs a program to its end, with files as its input and outputs.
    ///
    /// Files, unlike pipes, need not be read while the program runs. A pipe's end would also be inherited by a program that
    /// another test starts at the same moment, and would not close.
    package static func of(_ executable: URL, _ arguments: [String], input: Data = Data()) async throws -> ProgramRun {
        let folder = try TemporaryFolder()
        let files = ["input", "output", "errors"].map { folder.url.appendingPathComponent($0) }
        try input.write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        let handles = [
            try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
            try FileHandle(forWritingTo: files[2]),
        ]
        // Foundation does not close the handles, and watches its processes with select(), which is limited to 1024
        // descriptors.
        defer { for handle in handles { try? handle.close() } }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = handles[0]
        process.standardOutput = handles[1]
        process.standardError = handles[2]
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in ended {}
        return ProgramRun(
            status: process.terminationStatus, data: try Data(contentsOf: files[1]),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
}
