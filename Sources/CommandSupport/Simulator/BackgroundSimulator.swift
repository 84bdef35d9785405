import ArgumentParser
import CarillonCore
import Foundation
import SystemPackage

/// A simulator that goes on running when the command that started it has ended: `carillon apns-simulator --env`.
struct BackgroundSimulator {
    private let command: APNsSimulatorCommand

    init(_ command: APNsSimulatorCommand) { self.command = command }

    /// Starts the simulator, waits until it is ready, and prints the variables for a sender, as commands for a POSIX shell.
    ///
    /// A signal that comes before the end, or a standard output that is closed, ends the simulator too: nobody would know of it.
    ///
    /// - Throws: an error if the simulator has not started; its own message is then on standard error.
    func run() throws {
        ProgramSignals.takeForParent()
        let directory = try command.directory ?? SimulatorDirectory.temporary("carillon-apns")
        var process: ChildProgram?
        do {
            let variables = try start(&process, in: directory)
            // A closed pipe is an error here: its signal would end this command alone.
            _ = signal(SIGPIPE, SIG_IGN)
            try StandardOutput.write(variables)
            guard ProgramSignals.signal == nil else { throw ExitCode(EXIT_FAILURE) }
        } catch {
            process?.end()
            if command.directory == nil { try? FileManager.default.removeItem(atPath: directory) }
            throw ProgramSignals.signal.map { ExitCode(128 + $0) } ?? error
        }
    }

    private func start(_ started: inout ChildProgram?, in directory: String) throws -> String {
        let files = SimulatorDirectory(path: directory)
        try files.prepare()
        let log = URL(fileURLWithPath: files.logPath)
        try Data().write(to: log)
        // The simulator keeps none of this command's files, so that `$(…)` and a script's own pipe end with the command.
        let (output, end) = try FileDescriptor.pipe()
        defer { try? output.close() }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let process = try end.closeAfter {
            try ChildProgram(program, arguments(directory: directory), output: end, log: log.path)
        }
        started = process
        ProgramSignals.endWithSignal(process.number)
        guard try Self.isReady(output) else {
            let status = process.wait()
            guard ProgramSignals.signal == nil else { throw ExitCode(EXIT_FAILURE) }
            _ = try? FileDescriptor.standardError.writeAll(try Data(contentsOf: log))
            throw ExitCode(status == 0 ? EXIT_FAILURE : status)
        }
        let summary = try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: files.summaryPath)))
        return SenderVariables(summary, directory: directory, process: process.number).shellCommands
    }

    /// Waits for the simulator's first line.
    ///
    /// - Returns: whether it has written one before its end.
    private static func isReady(_ output: FileDescriptor) throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try bytes.withUnsafeMutableBytes { try output.read(into: $0) }
            if count == 0 || bytes.prefix(count).contains(UInt8(ascii: "\n")) { return count > 0 }
        }
    }

    /// Returns the arguments of this command for the simulator's own process.
    private func arguments(directory: String) -> [String] {
        var arguments = CommandLine.arguments.dropFirst().filter { $0 != "--env" }
        if command.directory == nil { arguments += ["--directory", directory] }
        let namesPort = command.config != nil || command.set.contains { $0.hasPrefix("port=") }
        if command.port.isEmpty, !namesPort { arguments += ["--port", "0"] }
        return arguments
    }
}
