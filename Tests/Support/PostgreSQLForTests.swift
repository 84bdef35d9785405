import Foundation

/// A PostgreSQL for tests: it is started when the first of them asks, and ends with this process, however that ends.
package actor PostgreSQLForTests {
    /// The one that most tests of this process share.
    package static let shared = PostgreSQLForTests(suffix: "shared")

    private let place: URL
    private var start: Task<Void, any Error>?

    /// - Parameter suffix: of the folder's name, which is made, and goes with the process. It is in /tmp whatever TMPDIR is: a
    ///   socket's path must be short, and where tests run as root, the server's user must get there too.
    package init(suffix: String) {
        place = URL(fileURLWithPath: "/tmp/carillon-pg-\(ProcessInfo.processInfo.processIdentifier)-\(suffix)")
    }

    /// The folder with its Unix socket.
    package func folder() async throws -> URL {
        let start = start ?? Task { try await run() }
        self.start = start
        try await start.value
        return place
    }

    /// An address whose tables are in a schema of that name.
    package func address(schema: String) async throws -> String {
        let folder = try await folder()
        return "postgres://carillon@/postgres?host=\(folder.path)&options=-csearch_path%3D\(schema)"
    }

    /// Ends it without a chance to finish anything, and starts it again.
    package func crash() async throws { try await run() }

    private func run() async throws {
        let run = try await ProgramRun.of(
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../scripts/postgresql-for-tests.sh").standardizedFileURL,
            [place.path, String(ProcessInfo.processInfo.processIdentifier)])
        guard run.status == 0 else { throw NoServer(description: run.transcript) }
    }

    private struct NoServer: Error, CustomStringConvertible { let description: String }
}
