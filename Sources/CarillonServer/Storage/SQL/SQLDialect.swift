/// What the engines do not say alike.
package struct SQLDialect: Sendable {
    /// Whose dialect it is.
    enum Engine: Sendable { case sqlite, postgreSQL }

    let engine: Engine
    /// The texts of a JSON array, which is the statement's next value: a table with the column `value`.
    let textsOfJSON: String
    /// The same for integers.
    let integersOfJSON: String
    /// A column such that it is one of the integers of a JSON array, for few rows that an index finds.
    func isAmongIntegers(_ column: String) -> String {
        switch engine {
        case .sqlite: "\(column) IN (SELECT value FROM \(integersOfJSON) AS named)"
        // Of an array it supposes that it is short, and of what a function returns, that it is long: then it would go through
        // whole tables.
        case .postgreSQL: "\(column) = ANY (ARRAY(SELECT value FROM \(integersOfJSON) AS named))"
        }
    }

    /// A join whose left side is gone through first, where the engine takes an order from its statement.
    let orderedJoin: String
    /// Where a text is found in another: 0 for nowhere.
    let position: String
    let keepsFromIndexes: String

    /// A column such that the engine does not choose an index for it, where it would choose badly.
    func unindexed(_ column: String) -> String { keepsFromIndexes + column }

    static let sqlite = Self(
        engine: .sqlite, textsOfJSON: "json_each(?)", integersOfJSON: "json_each(?)", orderedJoin: "CROSS JOIN",
        position: "instr",
        keepsFromIndexes: "+")
}
