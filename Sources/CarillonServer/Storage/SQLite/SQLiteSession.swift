import CarillonCore
import Foundation
import GRDB
import GRDBSQLite

/// A connection to SQLite for the duration of one transaction.
final class SQLiteSession: SQLConnection {
    let db: Database
    private let schema: Schema?
    private(set) var statementsCount = 0

    /// Wraps GRDB's connection for one transaction.
    ///
    /// - Parameters:
    ///   - db: GRDB's connection.
    ///   - schema: the tables whose version a writing transaction requires; `nil` to accept any version. The default is `nil`.
    init(_ db: Database, for schema: Schema? = nil) { (self.db, self.schema) = (db, schema) }

    var dialect: SQLDialect { .sqlite }
    var totalChangesCount: Int { db.totalChangesCount }
    var isInsideTransaction: Bool { db.isInsideTransaction }
    // SQLite rolls back only the failed statement. If SQLite rolls back the whole transaction, none is open any more.
    var isTransactionSpoiled: Bool { false }

    func execute(_ sql: String, _ arguments: SQLArguments) throws {
        statementsCount += 1
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    }

    func awaitStatements() throws {}

    func changes(_ sql: String, _ arguments: SQLArguments) throws -> Int {
        try execute(sql, arguments)
        return db.changesCount
    }

    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try read(sql, arguments) { statement in
            rows.append(SQLRow(statement))
            return true
        }
        return rows
    }

    func forEachRow(
        _ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void
    ) throws {
        try read(sql, arguments) { statement in
            try body(StatementColumns(handle: statement.sqliteStatement))
            return true
        }
    }

    func row(_ sql: String, _ arguments: SQLArguments) throws -> SQLRow? {
        var row: SQLRow?
        try read(sql, arguments) { statement in
            row = SQLRow(statement)
            return false
        }
        return row
    }

    /// Calls `body` with each row of a statement's result, until `body` returns false or no row is left.
    private func read(_ sql: String, _ arguments: SQLArguments, _ body: (Statement) throws -> Bool) throws {
        statementsCount += 1
        let statement = try db.cachedStatement(sql: sql)
        guard sqlite3_stmt_readonly(statement.sqliteStatement) != 0 else {
            // Uses GRDB's cursor, because GRDB must observe the changes that such a statement makes.
            let cursor = try DatabaseValue.fetchCursor(statement, arguments: StatementArguments(arguments))
            return try withExtendedLifetime(cursor) { while try cursor.next() != nil, try body(statement) {} }
        }
        // Avoids GRDB's cursors, which decode the first column of each row an additional time. This saves a tenth of the cost
        // of reading.
        try statement.setArguments(StatementArguments(arguments))
        defer { sqlite3_reset(statement.sqliteStatement) }
        while true {
            switch sqlite3_step(statement.sqliteStatement) {
            case SQLITE_ROW: if try !body(statement) { return }
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: sql)
            }
        }
    }

    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64? {
        try execute(sql, arguments)
        return db.changesCount > 0 ? db.lastInsertedRowID : nil
    }

    func insert(_ rows: [SQLArguments], into table: String, _ columns: [String]) throws {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        for row in rows { try execute("INSERT INTO \(table) (\(names)) VALUES (\(places))", row) }
    }

    func within<Value>(
        _ limit: Duration?, of clock: any CarillonClock, _ body: () throws -> Value
    ) throws -> Value {
        guard let limit else { return try body() }
        let deadline = Deadline(end: clock.uptime + limit, clock: clock)
        return try withExtendedLifetime(deadline) {
            // SQLite calls this between instructions, and interrupts the statement if the result is not 0.
            sqlite3_progress_handler(
                db.sqliteConnection, StoreLimits.instructionsPerLook,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
                }, Unmanaged.passUnretained(deadline).toOpaque())
            defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
            return try body()
        }
    }

    func writing(_ body: () throws -> Void) throws {
        var isCommitting = false
        do {
            try db.inTransaction(.immediate) {
                try schema?.require(row(Schema.versionQuery, [])?["version"])
                try body()
                isCommitting = true
                return .commit
            }
        } catch let error as DatabaseError where isCommitting && error.resultCode == .SQLITE_IOERR {
            // The log may have the whole transaction, although it could not be synced. If the machine stops before the next
            // commit overwrites it, SQLite finds it in the log and counts it as committed.
            throw ServiceError(
                .unknownOutcome,
                """
                the disk failed during a commit (\(error.extendedResultCode)), and whether it has happened is not known: \
                ask, or repeat the call with the same Idempotency-Key or id
                """)
        }
    }
}

/// The time by which a call must end.
private final class Deadline {
    private let end: Duration
    private let clock: any CarillonClock

    init(end: Duration, clock: any CarillonClock) { (self.end, self.clock) = (end, clock) }

    var isOver: Bool { clock.uptime >= end }
}

private struct StatementColumns: SQLColumns {
    let handle: SQLiteStatement

    func integer(_ place: Int) -> Int64? {
        guard sqlite3_column_type(handle, CInt(place)) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, CInt(place))
    }

    func text(_ place: Int) -> String? {
        guard sqlite3_column_type(handle, CInt(place)) == SQLITE_TEXT else { return nil }
        return SQLValue.text(of: handle, CInt(place))
    }
}

extension SQLRow {
    /// Reads the current row of a statement that is being executed.
    fileprivate init(_ statement: Statement) {
        let handle = statement.sqliteStatement
        let places = 0..<sqlite3_column_count(handle)
        // GRDB caches the column names with the statement. These are outdated if SQLite has recompiled the statement because a
        // column was added.
        var names = statement.columnNames
        if names.count != places.count {
            names = places.map { place in sqlite3_column_name(handle, place).map { String(cString: $0) } ?? "" }
        }
        self.init(columns: names, values: places.map { SQLValue(handle, $0) })
    }
}

extension SQLValue {
    fileprivate init(_ statement: SQLiteStatement, _ place: CInt) {
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, place))
        case SQLITE_TEXT: self = .text(Self.text(of: statement, place))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, place)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place)))
            self = .blob(Data(bytes))
        // The tables have no other type.
        default: self = .null
        }
    }

    fileprivate static func text(of statement: SQLiteStatement, _ place: CInt) -> String {
        let start = sqlite3_column_text(statement, place)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place)))
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let data): data.databaseValue
        }
    }
}

extension StatementArguments {
    fileprivate init(_ arguments: SQLArguments) {
        // Passes optionals, because GRDB would make a key path on each call for values of one type.
        self.init(arguments.values.map { $0.databaseValue as (any DatabaseValueConvertible)? })
    }
}

extension DatabaseError: EngineError {
    // A statement that fails has already waited for other processes, so trying again is of no use.
    var isPassing: Bool { false }
    var isOutOfTime: Bool { resultCode == .SQLITE_INTERRUPT }

    var explanation: ServiceError? {
        switch resultCode {
        case .SQLITE_BUSY: .databaseIsBusy
        case .SQLITE_FULL: .diskIsFull
        case .SQLITE_READONLY, .SQLITE_CANTOPEN: .isUnwritable("SQLite says: \(message ?? resultCode.description)")
        // The outcome of a commit whose fsync failed is another matter.
        case .SQLITE_IOERR where ![.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(extendedResultCode):
            .isUnwritable("SQLite says: \(message ?? resultCode.description)")
        case .SQLITE_INTERRUPT: .outOfTime
        default: nil
        }
    }
}
