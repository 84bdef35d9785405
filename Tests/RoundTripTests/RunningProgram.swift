import Foundation
import Synchronization

/// A program that goes on running, until the test has seen enough of it.
final class RunningProgram: Sendable {
    private let process: Mutex<Process>
    private let ended: AsyncStream<Void>
    /// What it prints, line by line, until it ends.
    let lines: AsyncStream<String>

    init(_ arguments: [String]) throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = try CarillonProgram.executable()
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (ended, endedContinuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in endedContinuation.finish() }
        let (lines, linesContinuation) = AsyncStream.makeStream(of: String.self)
        let rest = Mutex(Data())
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                linesContinuation.finish()
                return
            }
            rest.withLock { rest in
                rest.append(data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    linesContinuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
        }
        try process.run()
        self.process = Mutex(process)
        self.ended = ended
        self.lines = lines
    }

    /// Ctrl-C, as far as the program can tell.
    ///
    /// - Returns: its exit status.
    func interrupt() async -> Int32 {
        process.withLock { $0.interrupt() }
        for await _ in ended {}
        return process.withLock { $0.terminationStatus }
    }
}
