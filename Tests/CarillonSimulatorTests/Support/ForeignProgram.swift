import CarillonCore
import Foundation
import TestSupport

/// Runs programs that share no code with the simulator: Python from `.venv`.
enum ForeignProgram {
    struct Missing: Error, CustomStringConvertible { let description: String }

    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A script of Tests/Senders with JSON going in and JSON coming out.
    static func python(_ script: String, input: JSONValue) async throws -> JSONValue {
        let python = packageRoot.appending(path: ".venv/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw Missing(description: "there is no .venv/bin/python3: run make test, which creates .venv")
        }
        let result = try await ProgramRun.of(
            python, [packageRoot.appending(path: "Tests/Senders/\(script)").path], input: input.encoded())
        guard result.status == 0 else {
            throw Missing(description: "\(script) ended with status \(result.status): \(result.errors)")
        }
        return try JSONValue(parsing: result.data)
    }
}
