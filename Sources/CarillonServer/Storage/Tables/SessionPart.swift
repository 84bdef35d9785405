import CarillonCore
import Foundation

/// A part of the store that works within one call's ``StoreSession``: a table, a reader of several tables, or an operation.
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
    /// On PostgreSQL, the statement may wait and go to the server together with the next query.
    func execute(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws {
        try connection.execute(sql, arguments)
    }

    /// Runs a statement and returns the number of rows that it has inserted, changed or deleted.
    func changes(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> Int {
        try connection.changes(sql, arguments)
    }

    /// Inserts a row into a table with the column `number`.
    ///
    /// - Returns: the number of the row; `nil` if the statement has `ON CONFLICT DO NOTHING` and the row exists already.
    func insertNumbered(_ sql: String, _ arguments: SQLArguments) throws -> Int64? {
        try connection.insert(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> [SQLRow] {
        try connection.rows(sql, arguments)
    }

    func row(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> SQLRow? {
        try connection.row(sql, arguments)
    }

    /// Runs a statement and returns the integer in the first column of its first row; 0 without a row.
    func integer(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> Int {
        try connection.row(sql, arguments)?.values.first.flatMap { Int($0) } ?? 0
    }

    /// Throws the error for an `INSERT` that returned no row although it should have.
    func notWritten<Value>(_ what: String) throws -> Value {
        throw ServiceError(.storage, "the database has not kept a \(what)")
    }

    /// Encodes names as one JSON array, so that a statement can take any number of them as one value.
    static func json(_ names: some Encodable) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
    }

    /// Encodes integers as one JSON array, so that a statement can take any number of them as one value.
    static func integers(_ numbers: [Int64]) -> String {
        "[\(numbers.map { String($0) }.joined(separator: ","))]"
    }
}
