import Foundation
import Synchronization

@testable import carillon

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
        lines = output.fileHandleForReading.arrivingLines()
        try process.run()
        self.process = Mutex(process)
        self.ended = ended
    }

    /// Ctrl-C, as far as the program can tell.
    ///
    /// - Returns: its exit status.
    func interrupt() async -> Int32 {
        process.withLock { $0.interrupt() }
        for await _ in ended {}
        return process.withLock { $0.terminationStatus }
    }

    /// Ends it without a chance to finish anything, and waits until it has ended.
    func kill() async {
        process.withLock { _ = Foundation.kill($0.processIdentifier, SIGKILL) }
        for await _ in ended {}
    }
}
