import CarillonCore
import Foundation
import TestSupport

/// Runs programs that share no code with the simulator: Python from `.venv`.
enum ForeignProgram {
    struct Missing: Error, CustomStringConvertible { let description: String }

    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Python of `.venv`; an error says how to make one.
    static func interpreter() throws -> URL {
        let python = packageRoot.appending(path: ".venv/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw Missing(description: "there is no .venv/bin/python3: run make test, which creates .venv")
        }
        return python
    }

    /// A script of Tests/Senders with JSON going in and JSON coming out.
    static func python(_ script: String, input: JSONValue) async throws -> JSONValue {
        let result = try await ProgramRun.of(
            try interpreter(), [packageRoot.appending(path: "Tests/Senders/\(script)").path], input: input.encoded())
        guard result.status == 0 else {
            throw Missing(description: "\(script) ended with status \(result.status): \(result.errors)")
        }
        return try JSONValue(parsing: result.data)
    }
}
