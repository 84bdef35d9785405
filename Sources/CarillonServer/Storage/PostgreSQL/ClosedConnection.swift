/// The connection that a store call gets after the store was closed; every statement on it fails.
final class ClosedConnection: SQLConnection {
    let dialect = SQLDialect.postgreSQL
    let totalChangesCount = 0
    let statementsCount = 0
    let isInsideTransaction = false
    let isTransactionSpoiled = false

    private let error = ServiceError(.notRunning, "the database was closed")

    func execute(_ sql: String, _ arguments: SQLArguments) throws { throw error }
    func awaitStatements() throws { throw error }
    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int { throw error }
    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] { throw error }
    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? { throw error }
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64? { throw error }
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws { throw error }
    func writing(_ body: () throws -> Void) throws { throw error }
}
