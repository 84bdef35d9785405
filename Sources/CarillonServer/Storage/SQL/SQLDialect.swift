/// The differences between the engines' SQL.
package struct SQLDialect: Sendable {
    /// The engine that the dialect belongs to.
    enum Engine: Sendable { case sqlite, postgreSQL }

    let engine: Engine
    /// A table expression for the texts of a JSON array, in the column `value`.
    ///
    /// The array is the statement's next value.
    let textsOfJSON: String
    /// A table expression for the integers of a JSON array, in the column `value`.
    ///
    /// The array is the statement's next value.
    let integersOfJSON: String
    /// Returns the condition that a column is one of the integers of a JSON array.
    ///
    /// Use it if the integers are few and the column has an index.
    func isAmongIntegers(_ column: String) -> String {
        switch engine {
        case .sqlite: "\(column) IN (SELECT value FROM \(integersOfJSON) AS named)"
        // PostgreSQL assumes that an array is short, but that a function returns many rows, for which it would scan whole
        // tables.
        case .postgreSQL: "\(column) = ANY (ARRAY(SELECT value FROM \(integersOfJSON) AS named))"
        }
    }

    /// Returns the condition that a column is one of the texts of a JSON array, for few rows that an index finds.
    func isAmongTexts(_ column: String) -> String {
        switch engine {
        case .sqlite: "\(column) IN (SELECT value FROM \(textsOfJSON) AS named)"
        case .postgreSQL: "\(column) = ANY (ARRAY(SELECT value FROM \(textsOfJSON) AS named))"
        }
    }

    /// The SQL keyword for a join that reads its left side first, if the engine has one.
    let orderedJoin: String
    /// The function that returns the position of a text in another; 0 if it is not there.
    let position: String
    let keepsFromIndexes: String

    /// Returns a column in a form for which the engine does not use an index, where it would choose a bad one.
    func unindexed(_ column: String) -> String { keepsFromIndexes + column }

    static let sqlite = Self(
        engine: .sqlite, textsOfJSON: "json_each(?)", integersOfJSON: "json_each(?)", orderedJoin: "CROSS JOIN",
        position: "instr",
        keepsFromIndexes: "+")
}
