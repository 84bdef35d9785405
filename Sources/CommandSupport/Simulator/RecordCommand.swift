import ArgumentParser
import CarillonCore
import CarillonSimulator
import Foundation
import Synchronization
import SystemPackage
import UnixSignals

/// `carillon record`: stands between a sender and its APNs, and writes what passes.
package struct RecordCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records a sender's requests and APNs' answers, to play them again.",
        discussion: """
            The sender connects to this program instead of APNs, and trusts DIR/ca.pem; it keeps its own signing key. \
            Every frame passes to --url and back. Each request is written to --output with its answer and the time that it \
            took. A recording has no provider token, and other names in the place of device tokens. Payloads are in it, \
            unless --no-payloads is given. Only provider tokens can be recorded: nobody but the sender has the key of its \
            certificate.

            Ctrl-C or SIGTERM writes the end and stops. A file without an end is refused by --replay.

            Exit status: 0 after Ctrl-C or SIGTERM, 1 when it cannot start or write, 64 for a wrong option.

            Examples:
              carillon record --directory rec --output outage.jsonl --port 2197
              carillon record --directory rec --output test.jsonl \\
                --url https://localhost:2198 --ca apns/ca.pem
              carillon apns-simulator --directory apns --replay outage.jsonl
            """)

    @Option(help: ArgumentHelp("The APNs to record.", valueName: "url"))
    package var url = "https://api.push.apple.com"

    @Option(help: ArgumentHelp("The certificate authority to trust instead of the system's (PEM).", valueName: "file"))
    package var ca: String?

    @Option(help: ArgumentHelp("The port to listen on; 0 selects a free port.", valueName: "n"))
    package var port = 0

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    package var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The folder for ca.pem, which the sender trusts; created if missing.", valueName: "dir"))
    package var directory: String

    @Option(help: ArgumentHelp("The file to write; it must not exist.", valueName: "file"))
    package var output: String

    @Flag(inversion: .prefixedNo, help: "Write the payloads, which have the messages' texts.")
    package var payloads = true

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
    }

    package func run() async throws {
        let (upstream, clock) = (try upstream(), SystemClock())
        let files = SimulatorDirectory(path: directory)
        try files.prepare()
        let file = try RecordingFile(path: output)
        var configuration = SimulatorConfiguration(clock: clock, seed: 0, topics: ["recorded"])
        (configuration.host, configuration.port) = (host, port)
        try file.write(APNsRecording.head(upstream: upstream.authority, at: clock.now))
        var random = SystemRandomNumberGenerator()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let (failures, failure) = AsyncStream.makeStream(of: String.self)
        let proxy = try await RecordingProxy.start(
            configuration, upstream: upstream, salt: salt, keepsPayloads: payloads
        ) { report in
            switch report {
            case .entry(let entry):
                do { try file.write(entry.json) } catch { failure.yield("\(error)") }
            case .problem(let problem):
                try? StandardOutput.write("warning: \(problem)", to: .standardError)
            }
        }
        try files.writeAuthority(proxy.caCertificatePEM)
        try? StandardOutput.write(
            "Recording \(upstream.authority) at https://\(URLAuthority.text(host: host, port: proxy.port)), "
                + "trust \(files.caPath)")
        let problem = await Self.endOrFailure(failures)
        await proxy.shutdown()
        if let problem {
            try? StandardOutput.write("error: --output \(output): \(problem)", to: .standardError)
            throw ExitCode.failure
        }
        try file.writeEnd()
    }

    /// Waits for a signal, or for a failure to write.
    private static func endOrFailure(_ failures: AsyncStream<String>) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { break }
                return nil
            }
            group.addTask {
                for await failure in failures { return failure }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func upstream() throws -> RecordingProxy.Upstream {
        guard let address = URLComponents(string: url), address.scheme == "https", let host = address.host,
            address.path.isEmpty || address.path == "/"
        else { throw ValidationError("--url \(url): expected https://HOST or https://HOST:PORT") }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return RecordingProxy.Upstream(
            host: name, port: address.port ?? 443,
            trustedPEM: try ca.map { try CommandFile.pem(at: $0, option: "--ca") })
    }
}

/// The file of a recording, to which connections write from several threads.
private final class RecordingFile: Sendable {
    private struct State {
        let file: FileDescriptor
        var requestCount = 0
    }

    private let state: Mutex<State>

    init(path: String) throws {
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
            state = Mutex(State(file: file))
        } catch {
            throw ValidationError("--output \(path): cannot be created (\(error))")
        }
    }

    deinit {
        try? state.withLock { try $0.file.close() }
    }

    func write(_ line: JSONValue) throws {
        let data = try line.encoded() + Data("\n".utf8)
        try state.withLock { state in
            try state.file.writeAll(data)
            if line["request"] != nil { state.requestCount += 1 }
        }
    }

    func writeEnd() throws {
        try write(APNsRecording.end(requestCount: state.withLock(\.requestCount)))
        _ = state.withLock { fsync($0.file.rawValue) }
    }
}
