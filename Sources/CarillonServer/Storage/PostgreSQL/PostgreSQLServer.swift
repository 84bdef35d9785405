/// Checks that a server meets the service's requirements.
enum PostgreSQLServer {
    static let oldestVersion = 15

    /// Checks that a text is an address of a PostgreSQL database.
    ///
    /// Without this check, libpq would treat any other text as the name of a database.
    ///
    /// - Throws: ``ServiceError`` if the text is not such an address.
    static func check(_ address: String) throws {
        let isAddress = ["postgres://", "postgresql://"].contains(where: address.hasPrefix) || address.contains("=")
        guard isAddress else {
            throw ServiceError(.configuration, "expected postgres://user@host/database, or host=… dbname=…")
        }
    }

    /// Checks the version and settings of a server.
    ///
    /// - Throws: ``ServiceError`` whose description names the fault and says what to do.
    static func check(_ handle: PostgreSQLHandle) throws {
        let wrong = refusal(
            version: handle.version / 10_000, synchronousCommit: try handle.text("SHOW synchronous_commit"),
            encoding: try handle.text("SHOW server_encoding"))
        if let wrong { throw wrong }
    }

    /// Returns the reason to refuse a server with these properties.
    ///
    /// - Parameters:
    ///   - version: the server's major version, such as 15. Newer versions than the tested ones are accepted.
    ///   - synchronousCommit: the server's setting `synchronous_commit` for this role and database.
    ///   - encoding: the database's encoding.
    /// - Returns: the reason; `nil` if the server can be used.
    static func refusal(version: Int, synchronousCommit: String, encoding: String) -> ServiceError? {
        if version < oldestVersion {
            return ServiceError(
                .storage, "the server is PostgreSQL \(version); \(oldestVersion) or newer is needed: upgrade it")
        }
        if synchronousCommit == "off" {
            return ServiceError(
                .storage,
                """
                synchronous_commit is off, so a crash of the server would undo what was acknowledged: set it to on, for the \
                server, the database or the role
                """)
        }
        guard encoding == "UTF8" else {
            return ServiceError(.storage, "the database's encoding is not UTF8: create it with ENCODING 'UTF8'")
        }
        return nil
    }

    /// Checks that a second session cannot take an advisory lock that a first session holds.
    ///
    /// Some servers that speak PostgreSQL's protocol lack such locks. With these servers, two processes would send the same push.
    ///
    /// - Throws: ``ServiceError`` if the second session gets the lock.
    static func checkLock(_ url: String) throws {
        let (holder, other) = (try PostgreSQLHandle(url: url), try PostgreSQLHandle(url: url))
        // The lock's number is random, so that processes that start together do not collide.
        let lock = "\(Int32.random(in: 0 ... .max)), \(Int32.random(in: 0 ... .max))"
        try holder.run("BEGIN; SELECT pg_advisory_xact_lock(\(lock))")
        defer { _ = try? holder.run("ROLLBACK") }
        guard try other.text("SELECT CAST(pg_try_advisory_xact_lock(\(lock)) AS TEXT) AS taken") == "false" else {
            throw ServiceError(
                .storage,
                "the server's advisory locks hold nobody up, so processes would send the same twice: use PostgreSQL")
        }
    }

    /// Returns the error to report if an attempt to connect has failed for a lasting reason; `nil` for a reason that may pass.
    ///
    /// The returned error says what the operator must do. libpq has no codes for these reasons, so this function searches `words`
    /// for English phrases. If the server reports a reason in another language, it counts as passing, and the caller tries to
    /// connect again.
    static func refusal(_ words: String) -> ServiceError? {
        let remedies = [
            ("password authentication failed", "check the user and the password"),
            ("no password supplied", "give a password: in the URL, PGPASSWORD or ~/.pgpass"),
            ("authentication failed", "check pg_hba.conf and the user"),
            ("no pg_hba.conf entry", "allow this client in pg_hba.conf"),
            ("role \"", "create the role with createuser"),
            ("database \"", "create the database with createdb"),
            (
                "certificate verify failed",
                """
                sslrootcert must name the authority that has signed the server's certificate, which must be valid today and \
                be one for servers
                """
            ),
            ("server certificate for", "the URL's host must be the one in the server's certificate"),
            ("root certificate file", "sslrootcert must name a file, or be 'system'"),
            ("server does not support SSL", "turn ssl on at the server"),
            ("invalid URI query parameter", "leave that option out"),
            ("invalid connection option", "leave that option out"),
            ("invalid ", "expected postgres://user@host/database"),
        ]
        return remedies.first { words.contains($0.0) }.map { ServiceError(.storage, "\(words): \($0.1)") }
    }

    /// Returns the error to report to the operator after PostgreSQL has refused to create or upgrade the tables.
    static func explained(_ error: PostgreSQLError) -> any Error {
        switch error.state {
        case "42501": ServiceError(.storage, "\(error): let the owner of the schema run 'carillon db migrate'")
        case "3F000": ServiceError(.storage, "\(error): create the schema that search_path names")
        default: error.explanation ?? ServiceError(.storage, error.description)
        }
    }
}
