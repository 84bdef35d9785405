import CPostgreSQL
import CarillonCore
import Crypto
import Foundation

/// What is prepared: a statement, and its values' types.
struct StatementKey: Hashable {
    var sql: String
    var types: [Oid]

    /// The statement as PostgreSQL understands it.
    var text: String { PostgreSQLText.translated(sql) }

    /// The name under which it is prepared.
    ///
    /// Behind a pooler, other processes prepare statements at the same session: whoever has the same name has the same
    /// statement.
    ///
    /// - Parameter generation: tells apart what was prepared again.
    /// - Returns: the name, shorter than the 63 bytes that PostgreSQL keeps.
    func name(_ generation: Int) -> String {
        let text = "\(sql)\0\(types)"
        return "carillon_\(generation)_\(Data(SHA256.hash(data: Data(text.utf8)).prefix(16)).hexadecimal)"
    }
}

/// The statements that a session has prepared.
struct PreparedStatements {
    private struct Statement {
        var name: String
        var columns: [String]?
    }

    private var statements: [StatementKey: Statement] = [:]
    /// How often what was prepared has become useless, which names tell from what is prepared later.
    private var generation = 0
    /// What was prepared is not there, or somebody else's is: a pooler gives us another session each time, so nothing is
    /// prepared any more.
    private(set) var hasForeignSessions = false

    var isFull: Bool { statements.count >= ServiceLimits.preparedStatements }

    func contains(_ key: StatementKey) -> Bool { statements[key] != nil }

    func name(of key: StatementKey) -> String { statements[key]?.name ?? key.name(generation) }

    mutating func add(_ key: StatementKey) { statements[key] = Statement(name: key.name(generation)) }

    mutating func remove(_ key: StatementKey) { statements[key] = nil }

    mutating func removeAll() { statements = [:] }

    /// The names of a statement's columns, which are read once.
    mutating func columns(of key: StatementKey, in result: PostgreSQLResult) -> [String] {
        if let known = statements[key]?.columns { return known }
        let columns = result.columns
        statements[key]?.columns = columns
        return columns
    }

    /// Learns from an error that what was prepared is of no use any more.
    mutating func note(_ error: PostgreSQLError) {
        guard error.concernsPreparedStatements else { return }
        statements = [:]
        generation += 1
        hasForeignSessions = hasForeignSessions || error.tellsOfForeignSessions
    }
}
