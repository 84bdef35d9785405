/// The progress of a copy within one table.
package struct CopyProgress: Sendable, Hashable {
    package var table: String
    /// The number of the table's rows in the target; `total` is the number in the source.
    package var rows: Int
    package var total: Int
}

/// Copies all tables from a database of one engine to a database of the other, in steps of bounded size.
///
/// Each step copies the next rows of a table, in the order of their keys, in one transaction. After an interruption, the next run
/// continues after the last copied key. At the end, all tables on both sides are read and compared. If the source has changed
/// between two runs, the tables that differ are copied again.
struct DatabaseCopy {
    let source: any SQLConnection
    let target: any CopyTarget
    let tables: [CopiedTable]
    let lastNumbers: [String: Int64]
    let report: (CopyProgress) -> Void

    /// Copies the missing rows, and completes the target so that a service can start on it.
    ///
    /// - Returns: the number of rows and the checksum of every table, equal on both sides.
    /// - Throws: ``ServiceError`` whose description says what to do.
    func run() throws -> [TableSum] {
        try target.begin(tables)
        for table in tables { try copy(table) }
        let sums = try tables.map { try verified($0) }
        try target.finish(tables, lastNumbers: lastNumbers)
        return sums
    }

    private func copy(_ table: CopiedTable) throws {
        let total = try table.count(in: source)
        var (last, count) = try target.reading {
            (try table.lastKey(in: target.connection), try table.count(in: target.connection))
        }
        while true {
            report(CopyProgress(table: table.name, rows: count, total: total))
            let rows = try table.rows(of: source, after: last, limit: StoreLimits.copiedRowsPerStep)
            guard let end = rows.last else { return }
            try target.writing { try target.insert(rows, into: table) }
            count += rows.count
            last = table.key(of: end)
        }
    }

    private func verified(_ table: CopiedTable) throws -> TableSum {
        let wanted = try table.sum(in: source)
        func found() throws -> TableSum { try target.reading { try table.sum(in: target.connection) } }
        if try found() == wanted { return wanted }
        try target.writing { try target.connection.execute("DELETE FROM \(table.name)", []) }
        try copy(table)
        let second = try found()
        guard second == wanted else {
            throw ServiceError(
                .storage,
                """
                the table \(table.name) is not what it is in the source (\(second.rows) rows, \(wanted.rows) there): does \
                another process write to the target? Look at the disks, empty the target and copy again
                """)
        }
        return wanted
    }
}
