import Foundation
import Synchronization

@testable import CarillonPhones
@testable import CommandSupport
@testable import ServiceSupport

/// A program that goes on running, until the test has seen enough of it.
final class RunningProgram: Sendable {
    private let process: Mutex<Process>
    private let ended: AsyncStream<Void>
    /// Its output, line by line, until it ends.
    let lines: AsyncStream<String>

    /// - Parameters:
    ///   - arguments: its arguments.
    ///   - wrapper: the command that runs it, with its options, such as `unshare`. The default is none.
    ///   - environment: variables that it gets beside this process's own.
    ///   - log: the file to which its standard error is appended; `nil` for none.
    init(
        _ arguments: [String], under wrapper: [String] = [], environment: [String: String] = [:], log: URL? = nil
    ) throws {
        let (process, output) = (Process(), Pipe())
        let program = try CarillonProgram.executable()
        process.executableURL = wrapper.isEmpty ? program : URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = (wrapper.isEmpty ? [] : wrapper + [program.path]) + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardError = try log.map(FileHandle.init(appendingTo:)) ?? FileHandle.nullDevice
        let (ended, endedContinuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in endedContinuation.finish() }
        lines = output.fileHandleForReading.arrivingLines()
        try process.run()
        self.process = Mutex(process)
        self.ended = ended
    }

    /// Waits until a sender says that it sends. Before, an interrupt ends it as it ends any program.
    func untilSending() async {
        for await line in lines where line == ReadyLine.sender { return }
    }

    /// Ctrl-C, as far as the program can tell.
    ///
    /// - Returns: its exit status.
    func interrupt() async -> Int32 {
        process.withLock { $0.interrupt() }
        for await _ in ended {}
        return process.withLock { $0.terminationStatus }
    }

    /// Ends it as an init system does.
    ///
    /// - Returns: its exit status.
    func terminate() async -> Int32 {
        process.withLock { $0.terminate() }
        for await _ in ended {}
        return process.withLock { $0.terminationStatus }
    }

    /// Ends the program that its wrapper runs, as an init system does.
    ///
    /// - Returns: the exit status of the wrapper.
    func terminateInnermost() async throws -> Int32 {
        var id = process.withLock { $0.processIdentifier }
        while let child = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
            .split(separator: " ").first.flatMap({ Int32($0) })
        {
            id = child
        }
        _ = Foundation.kill(id, SIGTERM)
        for await _ in ended {}
        return process.withLock { $0.terminationStatus }
    }

    /// Asks it to read its settings anew, as `systemctl reload` does.
    func hangUp() { process.withLock { _ = Foundation.kill($0.processIdentifier, SIGHUP) } }

    /// Ends it without a chance to finish anything, and waits until it has ended.
    func kill() async {
        process.withLock { _ = Foundation.kill($0.processIdentifier, SIGKILL) }
        for await _ in ended {}
    }

    /// Stops it where it is, until ``letGo()``: a machine that is suspended, a debugger.
    func freeze() { process.withLock { _ = Foundation.kill($0.processIdentifier, SIGSTOP) } }

    func letGo() { process.withLock { _ = Foundation.kill($0.processIdentifier, SIGCONT) } }

    /// Returns its resident memory, in bytes.
    ///
    /// - Throws: when it has ended.
    func residentBytes() throws -> Int {
        let id = process.withLock { $0.processIdentifier }
        let pages = try String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8).split(separator: " ")
        return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Whether it has not ended yet.
    var isRunning: Bool { process.withLock { $0.isRunning } }
}

extension FileHandle {
    convenience fileprivate init(appendingTo file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MissingProgram(path: file.path) }
        self.init(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
