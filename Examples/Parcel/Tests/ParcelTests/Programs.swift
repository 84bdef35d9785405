import Foundation

/// Runs the program `carillon`, which `swift build --product carillon` puts beside the tests.
@MainActor final class Programs {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parcel-\(UUID().uuidString)")
    private var running: [Process] = []

    /// Starts a program that goes on running.
    ///
    /// - Returns: the first line that it prints with `text` in it.
    @discardableResult
    func start(_ arguments: [String], until text: String) async throws -> String {
        let (process, lines) = try launch(arguments)
        running.append(process)
        for await line in lines where line.contains(text) { return line }
        throw Backend.Failure(description: "carillon \(arguments[0]) did not start; see what it said above")
    }

    /// Runs a program to its end.
    ///
    /// - Returns: the last line that it prints.
    func run(_ arguments: [String]) async throws -> String {
        var last = ""
        for await line in try launch(arguments).lines { last = line }
        return last
    }

    /// Ends the programs, and removes what they have written.
    func stop() {
        for process in running {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private func launch(_ arguments: [String]) throws -> (process: Process, lines: AsyncStream<String>) {
        let (process, output) = (Process(), Pipe())
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "carillon")
        process.arguments = arguments
        process.standardOutput = output
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        try process.run()
        DispatchQueue.global().async { [reader = output.fileHandleForReading] in
            var line = Data()
            while let byte = try? reader.read(upToCount: 1), let character = byte.first {
                guard character == UInt8(ascii: "\n") else {
                    line.append(character)
                    continue
                }
                continuation.yield(String(decoding: line, as: UTF8.self))
                line = Data()
            }
            continuation.finish()
        }
        return (process, lines)
    }
}
