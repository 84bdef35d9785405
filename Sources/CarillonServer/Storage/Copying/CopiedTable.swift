import CarillonCore
import Crypto
import Foundation

/// A table of the service that a copy between SQLite and PostgreSQL includes, with its columns and its primary key.
struct CopiedTable: Sendable, Hashable {
    let name: String
    /// The columns, in the order of the SQLite table.
    let columns: [String]
    /// The columns of the primary key.
    ///
    /// The key's columns are integers and texts, which both database engines sort in equal order.
    let key: [String]

    /// Whether the database numbers the table's rows in the column `number`, and never reuses a number.
    var isNumbered: Bool { key == ["number"] }

    /// The name of an extra table that the target has only while a copy is unfinished.
    ///
    /// It stores the statements that complete the copy. A service does not start on a database with this table.
    static let unfinished = "carillon_copy"

    /// Returns the tables of a SQLite database that a copy includes.
    ///
    /// A PostgreSQL database has the same tables and columns.
    static func all(in sqlite: any SQLConnection) throws -> [CopiedTable] {
        let rows = try sqlite.rows(
            """
            SELECT tables.name AS "table", columns.name AS "column", columns.pk FROM sqlite_master AS tables
                JOIN pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
                AND tables.name NOT IN ('\(Schema.versionTable)', '\(unfinished)')
            ORDER BY tables.name, columns.cid
            """, [])
        return try Dictionary(grouping: rows) { try $0["table"] as String }.sorted { $0.key < $1.key }.map {
            name, rows in
            let places = try rows.map { row -> Int in try row["pk"] }
            let key = zip(rows, places).filter { $0.1 > 0 }.sorted { $0.1 < $1.1 }.map(\.0)
            return CopiedTable(
                name: name, columns: try rows.map { try $0["column"] }, key: try key.map { try $0["column"] })
        }
    }

    // MARK: Statements

    var columnList: String { columns.map(Self.quoted).joined(separator: ", ") }
    private var keyList: String { key.map(Self.quoted).joined(separator: ", ") }

    static func quoted(_ name: String) -> String { "\"\(name)\"" }

    /// Returns at most `limit` of the next rows, in the order of their keys.
    ///
    /// The rows begin after the key `last`, or at the first row if `last` is `nil`.
    func rows(of connection: any SQLConnection, after last: SQLArguments?, limit: Int) throws -> [SQLRow] {
        let places = key.map { _ in "?" }.joined(separator: ", ")
        return try connection.rows(
            """
            SELECT \(columnList) FROM \(name) \(last == nil ? "" : "WHERE (\(keyList)) > (\(places))")
            ORDER BY \(keyList) LIMIT \(limit)
            """, last ?? [])
    }

    func key(of row: SQLRow) -> SQLArguments {
        key.reduce(into: SQLArguments()) { arguments, column in
            if let place = columns.firstIndex(of: column), row.values.indices.contains(place) {
                arguments += SQLArguments(row.values[place])
            }
        }
    }

    /// Returns the greatest key in the table; `nil` for an empty table.
    func lastKey(in connection: any SQLConnection) throws -> SQLArguments? {
        let order = key.map { "\(Self.quoted($0)) DESC" }.joined(separator: ", ")
        return try connection.row("SELECT \(columnList) FROM \(name) ORDER BY \(order) LIMIT 1", []).map(key(of:))
    }

    func count(in connection: any SQLConnection) throws -> Int {
        try connection.row("SELECT count(*) AS count FROM \(name)", [])?["count"] ?? 0
    }

    /// Returns the number of the table's rows and a checksum of the rows.
    ///
    /// Equal rows have equal checksums in SQLite and PostgreSQL.
    func sum(in connection: any SQLConnection) throws -> TableSum {
        var (hash, count, last) = (SHA256(), 0, SQLArguments?.none)
        while true {
            let rows = try rows(of: connection, after: last, limit: StoreLimits.copiedRowsPerStep)
            guard let end = rows.last else { break }
            var bytes: [UInt8] = []
            for row in rows { for value in row.values { value.encode(into: &bytes) } }
            hash.update(data: bytes)
            count += rows.count
            last = key(of: end)
        }
        return TableSum(table: name, rows: count, checksum: Data(hash.finalize()).hexadecimal)
    }
}

/// The number of a table's rows, and a hash over the rows in the order of their keys.
package struct TableSum: Sendable, Hashable {
    package let table: String
    package let rows: Int
    /// The SHA-256 of the rows, in hexadecimal.
    package let checksum: String
}

extension SQLValue {
    /// Appends the value's kind and its bytes to `bytes`.
    ///
    /// The length of a text or blob precedes its bytes, so that different rows never have equal encodings.
    fileprivate func encode(into bytes: inout [UInt8]) {
        func add(_ kind: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(kind)
            withUnsafeBytes(of: UInt64(content.count).bigEndian) { bytes += $0 }
            bytes += content
        }
        switch self {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        case .text(let text): add(2, text.utf8)
        case .blob(let data): add(3, data)
        }
    }
}
