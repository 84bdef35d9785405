@testable import CarillonServer

/// A connection that counts the rows which its statements return.
final class CountingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var rowsCount = 0

    init(_ connection: any SQLConnection) { self.connection = connection }

    var dialect: SQLDialect { connection.dialect }
    var totalChangesCount: Int { connection.totalChangesCount }
    var statementsCount: Int { connection.statementsCount }
    var isInsideTransaction: Bool { connection.isInsideTransaction }
    var isTransactionSpoiled: Bool { connection.isTransactionSpoiled }

    func execute(_ sql: String, _ arguments: SQLArguments) throws { try connection.execute(sql, arguments) }
    func awaitStatements() throws { try connection.awaitStatements() }
    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int { try connection.changes(sql, arguments) }
    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        let rows = try connection.rows(sql, arguments)
        rowsCount += rows.count
        return rows
    }
    func forEachRow(
        _ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void
    ) throws {
        try connection.forEachRow(sql, arguments) { row in
            self.rowsCount += 1
            try body(row)
        }
    }
    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
        rowsCount += 1
        return try connection.row(sql, arguments)
    }
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64? { try connection.insert(sql, arguments) }
    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws {
        try connection.insert(rows, into: table, columns)
    }
    func writing(_ body: () throws -> Void) throws { try connection.writing(body) }
}
