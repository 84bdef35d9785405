import CarillonCore
import CommandSupport
import Foundation
import ServiceSupport

/// The push service as a separate operating-system process: `carillon serve`.
///
/// The demo can kill that process. With `--until-stdin-closes`, the process watches its standard input, so it ends with the demo,
/// even if the demo itself is killed.
@MainActor
final class ServiceProcess {
    /// The address of the service, for example `http://127.0.0.1:40123`.
    let url: URL
    private let process: Process
    private let input: Pipe
    private let ended: AsyncStream<Void>

    private init(url: URL, process: Process, input: Pipe, ended: AsyncStream<Void>) {
        self.url = url
        self.process = process
        self.input = input
        self.ended = ended
    }

    /// Starts `carillon serve` and waits until it prints its address.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after `carillon serve`.
    ///   - log: the file to which the standard error of the process is appended.
    /// - Returns: the process, ready for requests.
    /// - Throws: ``DemoFailure`` with the last line of the log, if the process ends before it is ready.
    static func start(_ arguments: [String], log: URL) async throws -> ServiceProcess {
        let environment = ProcessInfo.processInfo.environment
        guard let program = Companion.service.path(in: environment, beside: Bundle.main.executableURL) else {
            throw DemoFailure("carillon is not installed beside carillon-phones: swift build --product carillon")
        }
        let (process, output, input) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["serve"] + arguments + ["--until-stdin-closes"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try Self.appending(to: log)
        let (ended, endedContinuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in endedContinuation.finish() }
        try process.run()
        try? output.fileHandleForWriting.close()

        for await line in output.fileHandleForReading.arrivingLines() {
            guard let url = readyURL(in: line) else { continue }
            return ServiceProcess(url: url, process: process, input: input, ended: ended)
        }
        for await _ in ended {}
        throw DemoFailure(
            "the service did not start (exit status \(process.terminationStatus)); its last output: \(Self.lastLine(of: log))"
        )
    }

    /// Sends SIGKILL, so that the service cannot finish its work, and waits for the end of the process.
    func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        for await _ in ended {}
    }

    /// Sends SIGTERM, so that the service finishes its work, and waits for the end of the process.
    func stop() async {
        guard process.isRunning else { return }
        process.terminate()
        for await _ in ended {}
    }

    private static func readyURL(in line: String) -> URL? {
        guard line.hasPrefix(ReadyLine.prefix) else { return nil }
        return URL(string: String(line.dropFirst(ReadyLine.prefix.count)))
    }

    private static func appending(to log: URL) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: log.path) {
            try Data().write(to: log)
        }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        return handle
    }

    private static func lastLine(of log: URL) -> String {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").last.map(String.init) ?? "none"
    }
}

/// An error whose description explains why the demo stopped.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
