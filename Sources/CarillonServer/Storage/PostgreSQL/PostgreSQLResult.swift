import CPostgreSQL
import Foundation

/// The result of an SQL statement, as libpq returns it.
///
/// Releasing this object frees libpq's result.
final class PostgreSQLResult {
    private let handle: OpaquePointer?

    init(_ handle: OpaquePointer?) { self.handle = handle }

    deinit { PQclear(handle) }

    var isSuccess: Bool {
        let status = PQresultStatus(handle)
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
    }

    /// Whether the statement is a `COPY … FROM STDIN`, for which the server now expects rows.
    var takesRows: Bool { PQresultStatus(handle) == PGRES_COPY_IN }

    /// The command tag that PostgreSQL reports for the statement, such as `UPDATE 3`.
    var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// The number of rows that the statement has inserted, changed or deleted.
    var changes: Int {
        let tag = tag
        guard ["INSERT", "UPDATE", "DELETE"].contains(where: tag.hasPrefix) else { return 0 }
        return PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// The error's SQLSTATE; empty without an error.
    var state: String { field(Int32(UInt8(ascii: "C"))) }
    /// The error's primary message; empty without an error.
    var message: String { field(Int32(UInt8(ascii: "M"))) }

    private func field(_ code: Int32) -> String {
        PQresultErrorField(handle, code).map { String(cString: $0) } ?? ""
    }

    // MARK: Rows

    var columns: [String] {
        (0..<PQnfields(handle)).map { column in PQfname(handle, column).map { String(cString: $0) } ?? "" }
    }

    /// Decodes the result's rows, at most `limit`.
    ///
    /// The parameter `columns` has the names of the result's columns. The caller passes them, because it reads them only once for
    /// each statement.
    func rows(_ columns: [String], limit: Int = .max) throws -> [SQLRow] {
        let types = columns.indices.map { PQftype(handle, Int32($0)) }
        return try (0..<min(Int(PQntuples(handle)), limit)).map { row in
            SQLRow(
                columns: columns,
                values: try types.enumerated().map { try value(Int32(row), Int32($0.offset), $0.element) })
        }
    }

    /// The integer in the first column of the first row; `nil` without a row.
    var integer: Int64? {
        guard PQntuples(handle) > 0 else { return nil }
        return (try? value(0, 0, PQftype(handle, 0))).flatMap { Int64($0) }
    }

    private func value(_ row: Int32, _ column: Int32, _ type: Oid) throws -> SQLValue {
        guard PQgetisnull(handle, row, column) == 0, let start = PQgetvalue(handle, row, column) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, column)))
        switch (type, bytes.count) {
        case (16, 1): return .integer(bytes[0] == 0 ? 0 : 1)
        case (20, 8): return .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case (23, 4): return .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case (21, 2): return .integer(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case (25, _), (19, _), (1043, _), (705, _): return .text(String(decoding: bytes, as: UTF8.self))
        case (17, _): return .blob(Data(bytes))
        default:
            throw PostgreSQLError(state: "0A000", description: "a column has the type \(type), which is not expected")
        }
    }
}
