import CarillonCore
import Foundation

/// A part of the store that works in the ``StoreSession`` of one call: a table, a reader of several tables, or an operation.
protocol SessionPart {
    var session: StoreSession { get }
}

extension SessionPart {
    var connection: any SQLConnection { session.connection }
    var dialect: SQLDialect { session.connection.dialect }
    var now: Timestamp { session.now }
    var room: Int {
        get { session.room }
        nonmutating set { session.room = newValue }
    }

    /// Runs a statement without a result.
    ///
    /// On PostgreSQL, the statement may wait, and go to the server together with the next query.
    func execute(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws {
        session.foreseen.removeAll()
        try connection.execute(sql, arguments)
    }

    /// Sends a statement whose result this call needs soon, so that several such statements share one wait for PostgreSQL.
    ///
    /// The call must then run the equal statement, as often as it likes. Once it writes anything, the statement runs again.
    ///
    /// With SQLite, which is never waited for, the function does nothing.
    func foresee(_ statements: [SQLStatement]) throws {
        guard session.foresees else { return }
        for statement in statements {
            session.foreseen[statement] = try connection.later(statement.sql, statement.arguments)
        }
    }

    /// Returns the rows of a statement that was sent before (``foresee(_:)``); `nil` if it was not.
    private func foreseen(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]? {
        guard !session.foreseen.isEmpty else { return nil }
        if let late = session.foreseen[SQLStatement(sql: sql, arguments: arguments)] { return try late.rows() }
        if ["INSERT", "UPDATE", "DELETE"].contains(where: sql.hasPrefix) { session.foreseen.removeAll() }
        return nil
    }

    /// Runs a statement that writes, and whose rows are read later.
    ///
    /// On PostgreSQL, the statement may wait, and go to the server together with the next query.
    func later(_ sql: String, _ arguments: SQLArguments) throws -> LateRows {
        session.foreseen.removeAll()
        return try connection.later(sql, arguments)
    }

    /// Runs a statement and returns the number of rows that it has inserted, changed or deleted.
    func changes(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> Int {
        session.foreseen.removeAll()
        return try connection.changes(sql, arguments)
    }

    /// Inserts a row into a table with the column `number`.
    ///
    /// - Returns: the number of the row; `nil` if the statement has `ON CONFLICT DO NOTHING` and the row exists already.
    func insertNumbered(_ sql: String, _ arguments: SQLArguments) throws -> Int64? {
        session.foreseen.removeAll()
        return try connection.insert(sql, arguments)
    }

    /// Runs a statement and returns all its rows.
    func rows(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> [SQLRow] {
        try foreseen(sql, arguments) ?? connection.rows(sql, arguments)
    }

    func row(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> SQLRow? {
        if let rows = try foreseen(sql, arguments) { return rows.first }
        return try connection.row(sql, arguments)
    }

    func rows(_ statement: SQLStatement) throws -> [SQLRow] { try rows(statement.sql, statement.arguments) }

    func row(_ statement: SQLStatement) throws -> SQLRow? { try row(statement.sql, statement.arguments) }

    /// Runs a statement and returns the integer in the first column of its first row; 0 without a row.
    func integer(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> Int {
        try row(sql, arguments)?.values.first.flatMap { Int($0) } ?? 0
    }

    /// Throws the error that an `INSERT` has returned no row, although it should have inserted one.
    func notWritten<Value>(_ what: String) throws -> Value {
        throw ServiceError(.storage, "the database has not kept a \(what)")
    }

    /// Encodes texts, such as ids, as one JSON array, so that a statement can take any number of them as one value.
    static func json(_ names: some Encodable) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
    }

    /// Encodes integers as one JSON array, so that a statement can take any number of them as one value.
    static func integers(_ numbers: [Int64]) -> String {
        "[\(numbers.map { String($0) }.joined(separator: ","))]"
    }
}
