import Foundation

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
    static func run(_ arguments: String..., input: String = "") async throws -> Run {
        try await run(arguments, input: input)
    }

    static func run(_ arguments: [String], input: String = "") async throws -> Run {
        try await run(try executable(), arguments, input: input)
    }

    /// Runs another program, found in PATH.
    static func runTool(_ arguments: String...) async throws -> Run { try await runTool(arguments) }

    static func runTool(_ arguments: [String]) async throws -> Run {
        try await run(URL(fileURLWithPath: "/usr/bin/env"), arguments, input: "")
    }

    /// Files rather than pipes: a pipe's end is inherited by whatever program another test starts at the same moment,
    /// and then it does not close.
    private static func run(_ executable: URL, _ arguments: [String], input: String) async throws -> Run {
        let folder = try TemporaryFolder()
        let files = ["input", "output", "errors"].map { folder.url.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        let handles = [
            try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
            try FileHandle(forWritingTo: files[2]),
        ]
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
        return Run(
            status: process.terminationStatus, output: try String(contentsOf: files[1], encoding: .utf8),
            errors: try String(contentsOf: files[2], encoding: .utf8))
    }

    /// `carillon` stands in the same folder as the test runner.
    static func executable() throws -> URL {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let url = folder.appendingPathComponent("carillon")
        guard FileManager.default.isExecutableFile(atPath: url.path) else { throw MissingProgram(path: url.path) }
        return url
    }
}

struct MissingProgram: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is missing: build the product carillon first (make test does)" }
}
