import Foundation
import TestSupport

/// The command line program that was built beside the tests.
enum CarillonProgram {
    /// Runs the program to its end.
    static func run(_ arguments: String..., input: String = "") async throws -> ProgramRun {
        try await run(arguments, input: input)
    }

    static func run(_ arguments: [String], input: String = "") async throws -> ProgramRun {
        try await ProgramRun.of(try executable(), arguments, input: Data(input.utf8))
    }

    /// Runs another program, found in PATH.
    static func runTool(_ arguments: String...) async throws -> ProgramRun { try await runTool(arguments) }

    static func runTool(_ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun.of(URL(fileURLWithPath: "/usr/bin/env"), arguments)
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
