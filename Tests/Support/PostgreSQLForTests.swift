import Foundation

/// A PostgreSQL for tests: it starts at the first use, and ends with this process, however the process ends.
package actor PostgreSQLForTests {
    /// The server that most tests of this process share.
    package static let shared = PostgreSQLForTests(suffix: "shared")

    /// The ways to end a server: after it has finished quick work, or as in a power cut.
    package enum Ending: String, Sendable, CaseIterable { case fast, immediate }

    /// The folder of its socket, which is created, and removed with the process.
    package nonisolated let place: URL
    private var options: [String]
    private let disk: Disk?
    private var start: Task<Void, any Error>?

    /// A separate disk for the server, in memory.
    package struct Disk: Sendable {
        fileprivate let mebibytes: Int

        /// - Parameter mebibytes: the size of the disk.
        package init(mebibytes: Int) { self.mebibytes = mebibytes }

        /// Returns whether this machine allows such disks.
        package static func canBeMade() async -> Bool {
            let mount = "mount -t tmpfs -o size=1m tmpfs /mnt"
            let run = try? await PostgreSQLForTests.tool("unshare", ["--mount", "sh", "-c", mount])
            return run?.status == 0
        }
    }

    /// - Parameters:
    ///   - suffix: the end of the folder's name. The folder is in /tmp whatever TMPDIR is: a socket's path must be short, and
    ///     where tests run as root, the server's user must get there too.
    ///   - options: settings of the server, such as `fsync=on`. The default is none, with which no data survives a crash.
    ///   - disk: the disk for all its data. The default is the folder.
    package init(suffix: String, options: [String] = [], disk: Disk? = nil) {
        place = URL(fileURLWithPath: "/tmp/carillon-pg-\(ProcessInfo.processInfo.processIdentifier)-\(suffix)")
        self.options = options.flatMap { ["-c", $0] }
        self.disk = disk
    }

    /// Starts the server if necessary, and returns the folder with its Unix socket.
    package func folder() async throws -> URL {
        let start = start ?? Task { try await run(["start"] + options) }
        self.start = start
        try await start.value
        return place
    }

    /// Returns an address whose tables are in a schema of that name.
    package func address(schema: String) async throws -> String {
        let folder = try await folder()
        return "postgres://carillon@/postgres?host=\(folder.path)&options=-csearch_path%3D\(schema)"
    }

    /// Kills the server before it can finish anything, and starts it again.
    package func crash() async throws { try await run(["start"] + options) }

    package func restart(_ ending: Ending) async throws {
        try await run(["stop", ending.rawValue])
        try await run(["start"] + options)
    }

    /// Kills all processes of the server, and does not start it again.
    package func kill() async throws { try await run(["kill"]) }

    /// Makes the server a copy of another one, which it follows from then on.
    package func follow(_ other: PostgreSQLForTests) async throws {
        let source = try await other.folder()
        let start = Task { try await run(["standby-of", source.path] + options) }
        self.start = start
        try await start.value
    }

    /// Makes a standby take writes.
    package func promote() async throws { try await run(["promote"]) }

    /// Makes it take TLS on a loopback port, with a certificate for a host; before it is started.
    ///
    /// - Returns: the port. In its folder are the certificate's authority, `ca.pem`, and another, `other-ca.pem`.
    package func secure(as host: String) async throws -> UInt16 {
        guard let port = LoopbackSocket.freePort() else { throw NoServer(description: "there is no free port") }
        try await run(["certify", host])
        let settings = [
            "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on", "ssl_cert_file=\(place.path)/server.pem",
            "ssl_key_file=\(place.path)/server.key",
        ]
        options += settings.flatMap { ["-c", $0] }
        return port
    }

    private func run(_ verb: [String]) async throws {
        let arguments = [place.path, String(ProcessInfo.processInfo.processIdentifier)] + verb
        let run: ProgramRun
        if let disk {
            let data = place.appending(path: "data").path
            let script = """
                mkdir -p \(data) && mount -t tmpfs -o size=\(disk.mebibytes)m,mode=0700 tmpfs \(data) \
                && chown postgres \(data) && exec "$0" "$@"
                """
            run = try await Self.tool("unshare", ["--mount", "sh", "-c", script, Self.script.path] + arguments)
        } else {
            run = try await ProgramRun.of(Self.script, arguments)
        }
        guard run.status == 0 else { throw NoServer(description: run.transcript) }
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../scripts/postgresql-for-tests.sh").standardizedFileURL

    private static func tool(_ name: String, _ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun.of(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments)
    }

    private struct NoServer: Error, CustomStringConvertible { let description: String }
}
