#if os(Linux)
    import Foundation
    import Glibc

    /// A PgBouncer for tests that pools by transaction; it ends with this process, however the process ends.
    package enum PoolerForTests {
        package struct NoPooler: Error, CustomStringConvertible { package let description: String }

        /// Whether PgBouncer is installed; `make test-pooler` installs it.
        package static let isInstalled = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]
            .contains(where: FileManager.default.isExecutableFile)

        /// Starts a PgBouncer.
        ///
        /// - Parameters:
        ///   - server: the folder with the socket of the server whose sessions it pools.
        ///   - suffix: the end of its folder's name.
        /// - Returns: the port that it listens on at 127.0.0.1.
        package static func start(before server: URL, suffix: String) async throws -> UInt16 {
            guard let port = LoopbackSocket.freePort() else { throw NoPooler(description: "there is no free port") }
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../scripts/pooler-for-tests.sh").standardizedFileURL
            let process = ProcessInfo.processInfo.processIdentifier
            let run = try await ProgramRun.of(
                script, ["/tmp/carillon-pooler-\(process)-\(suffix)", "\(process)", "\(port)", server.path])
            guard run.status == 0 else { throw NoPooler(description: run.transcript) }
            return port
        }
    }
#endif
