import CPostgreSQL
import CarillonCore
import Crypto
import Foundation

/// The key of a prepared statement: its SQL and the types of its values.
struct StatementKey: Hashable {
    var sql: String
    var types: [Oid]

    /// The statement's SQL, translated into PostgreSQL's dialect.
    var text: String { PostgreSQLText.translated(sql) }

    /// Returns the name under which the statement is prepared.
    ///
    /// Behind a connection pooler, processes share server sessions and their prepared statements, so equal names must mean equal
    /// statements.
    ///
    /// - Parameter generation: a number in the name that grows whenever the session's prepared statements become useless, so that
    ///   the new names differ from the old ones.
    /// - Returns: the name, shorter than the 63 bytes that PostgreSQL keeps.
    func name(_ generation: Int) -> String {
        let text = "\(sql)\0\(types)"
        return "carillon_\(generation)_\(Data(SHA256.hash(data: Data(text.utf8)).prefix(16)).hexadecimal)"
    }
}

/// The statements that a session with PostgreSQL has prepared.
struct PreparedStatements {
    private struct Statement {
        var name: String
        var columns: [String]?
    }

    private var statements: [StatementKey: Statement] = [:]
    /// The number of times that all prepared statements of the session have become useless.
    ///
    /// The names of statements that are prepared later include this number, so that they differ from the names of the useless
    /// ones.
    private var generation = 0
    /// Whether a connection pooler runs transactions in different server sessions, so that no statement is prepared any more.
    ///
    /// The property becomes true when the server lacks a statement that this connection has prepared, or already has another
    /// statement of that name.
    private(set) var hasForeignSessions = false

    var isFull: Bool { statements.count >= StoreLimits.preparedStatements }

    func contains(_ key: StatementKey) -> Bool { statements[key] != nil }

    func name(of key: StatementKey) -> String { statements[key]?.name ?? key.name(generation) }

    mutating func add(_ key: StatementKey) { statements[key] = Statement(name: key.name(generation)) }

    mutating func remove(_ key: StatementKey) { statements[key] = nil }

    mutating func removeAll() { statements = [:] }

    /// Returns the names of a statement's columns.
    ///
    /// The names are read from the first result, and then cached.
    mutating func columns(of key: StatementKey, in result: PostgreSQLResult) -> [String] {
        if let known = statements[key]?.columns { return known }
        let columns = result.columns
        statements[key]?.columns = columns
        return columns
    }

    /// Forgets all prepared statements if an error shows that they have become useless.
    mutating func note(_ error: PostgreSQLError) {
        guard error.concernsPreparedStatements else { return }
        statements = [:]
        generation += 1
        hasForeignSessions = hasForeignSessions || error.tellsOfForeignSessions
    }
}
