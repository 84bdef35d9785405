import ArgumentParser
import CarillonCore
import Foundation

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
        let process = Process()
        do {
            try StandardOutput.write(try start(process, in: directory))
            guard ProgramSignals.signal == nil else { throw ExitCode(EXIT_FAILURE) }
        } catch {
            if process.isRunning {
                process.terminate()
                process.waitUntilExit()
            }
            if command.directory == nil { try? FileManager.default.removeItem(atPath: directory) }
            throw ProgramSignals.signal.map { ExitCode(128 + $0) } ?? error
        }
    }

    private func start(_ process: Process, in directory: String) throws -> String {
        let files = SimulatorDirectory(path: directory)
        try files.prepare()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments(directory: directory)
        let output = Pipe()
        let log = URL(fileURLWithPath: files.logPath)
        try Data().write(to: log)
        // The simulator keeps none of this command's files, so that `$(…)` and a script's own pipe end with the command.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        ProgramSignals.endWithSignal(process.processIdentifier)
        var ready = Data()
        while !ready.contains(UInt8(ascii: "\n")) {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else {
                process.waitUntilExit()
                guard ProgramSignals.signal == nil else { throw ExitCode(EXIT_FAILURE) }
                try? FileHandle.standardError.write(contentsOf: try Data(contentsOf: log))
                throw ExitCode(process.terminationStatus == 0 ? EXIT_FAILURE : process.terminationStatus)
            }
            ready += bytes
        }
        let summary = try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: files.summaryPath)))
        return SenderVariables(summary, directory: directory, process: process.processIdentifier).shellCommands
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
