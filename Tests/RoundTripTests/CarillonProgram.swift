import Foundation
import Synchronization

/// The command line program that was built beside the tests.
enum CarillonProgram {
    struct Run: Sendable {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
        var transcript: String { "exit status \(status)\n\(output)\n\(errors)" }
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., input: String? = nil) async throws -> Run {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = try executable()
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        let inputPipe = input.map { _ in Pipe() }
        process.standardInput = inputPipe ?? FileHandle.nullDevice
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        if let inputPipe, let input {
            try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try inputPipe.fileHandleForWriting.close()
        }
        async let outputText = text(of: output.fileHandleForReading)
        async let errorText = text(of: errors.fileHandleForReading)
        for await _ in ended {}
        return await Run(status: process.terminationStatus, output: outputText, errors: errorText)
    }

    /// `carillon` stands in the same folder as the test runner.
    private static func executable() throws -> URL {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let url = folder.appendingPathComponent("carillon")
        guard FileManager.default.isExecutableFile(atPath: url.path) else { throw MissingProgram(path: url.path) }
        return url
    }

    private static func text(of handle: FileHandle) async -> String {
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        handle.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                continuation.finish()
            } else {
                continuation.yield(data)
            }
        }
        var all = Data()
        for await chunk in chunks { all.append(chunk) }
        return String(decoding: all, as: UTF8.self)
    }
}

struct MissingProgram: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is missing: build the product carillon first (make test does)" }
}
