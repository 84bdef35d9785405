import CarillonCore
import Foundation
import Synchronization

/// Runs programs that share no code with the simulator: Python from `.venv`, curl.
enum ForeignProgram {
    struct Missing: Error, CustomStringConvertible { let description: String }

    struct Output: Sendable {
        var status: Int32
        var output: Data
        var errors: String
    }

    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A script of Tests/Senders with JSON going in and JSON coming out.
    static func python(_ script: String, input: JSONValue) async throws -> JSONValue {
        let python = packageRoot.appending(path: ".venv/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw Missing(description: "there is no .venv/bin/python3: run make test, which creates .venv")
        }
        let result = try await run(
            python.path, [packageRoot.appending(path: "Tests/Senders/\(script)").path], input: input.encoded())
        guard result.status == 0 else {
            throw Missing(description: "\(script) ended with status \(result.status): \(result.errors)")
        }
        return try JSONValue(parsing: result.output)
    }

    static func run(_ path: String, _ arguments: [String], input: Data = Data()) async throws -> Output {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        // Files rather than pipes: nothing has to be read while the program runs, whatever it writes.
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["input", "output", "errors"].map { folder.appending(path: $0) }
        try input.write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        let handles = [
            try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
            try FileHandle(forWritingTo: files[2]),
        ]
        // Foundation does not close them, and watches its processes with select(), which knows 1024 descriptors.
        defer { for handle in handles { try? handle.close() } }
        process.standardInput = handles[0]
        process.standardOutput = handles[1]
        process.standardError = handles[2]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        return Output(
            status: process.terminationStatus, output: try Data(contentsOf: files[1]),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
}
