#if os(Linux)
    import Foundation
    import Glibc

    /// A PgBouncer for tests that pools by transaction; it ends with this process, however that ends.
    package enum PoolerForTests {
        package struct NoPooler: Error, CustomStringConvertible { package let description: String }

        /// Whether it is installed: `make test-pooler` does that.
        package static let isInstalled = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]
            .contains(where: FileManager.default.isExecutableFile)

        /// Starts one.
        ///
        /// - Parameters:
        ///   - server: the folder with the socket of the server for whose sessions it stands.
        ///   - suffix: of its folder's name.
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
