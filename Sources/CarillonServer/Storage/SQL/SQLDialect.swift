/// The SQL expressions that differ between SQLite and PostgreSQL.
package struct SQLDialect: Sendable {
    /// A database engine that the store supports.
    enum Engine: Sendable { case sqlite, postgreSQL }

    let engine: Engine
    /// A table expression whose column `value` has the texts of a JSON array.
    ///
    /// The expression has one question mark, which stands for the JSON array.
    let textsOfJSON: String
    /// A table expression whose column `value` has the integers of a JSON array.
    ///
    /// The expression has one question mark, which stands for the JSON array.
    let integersOfJSON: String
    /// A table expression with the columns `app`, `message`, `name` and `count` from a JSON array of arrays of four texts each.
    ///
    /// The expression has one question mark, which stands for the JSON array.
    let countsOfJSON: String
    /// Returns the SQL condition that a column is equal to one of the integers of a JSON array.
    ///
    /// The condition has one question mark, which stands for the JSON array. It is fast if the integers are few and the column
    /// has an index.
    func isAmongIntegers(_ column: String) -> String {
        switch engine {
        case .sqlite: "\(column) IN (SELECT value FROM \(integersOfJSON) AS named)"
        // PostgreSQL assumes that an array is short. It assumes that a function returns many rows, and would scan whole tables
        // for them.
        case .postgreSQL: "\(column) = ANY (ARRAY(SELECT value FROM \(integersOfJSON) AS named))"
        }
    }

    /// Returns the SQL condition that a column is equal to one of the texts of a JSON array.
    ///
    /// The condition has one question mark, which stands for the JSON array. It is fast if the texts are few and the column has
    /// an index.
    func isAmongTexts(_ column: String) -> String {
        switch engine {
        case .sqlite: "\(column) IN (SELECT value FROM \(textsOfJSON) AS named)"
        case .postgreSQL: "\(column) = ANY (ARRAY(SELECT value FROM \(textsOfJSON) AS named))"
        }
    }

    /// The SQL keyword for a join that reads its left side first, or a plain `JOIN` if the engine has no such keyword.
    let orderedJoin: String
    /// The SQL function that returns the position of a text in another text; 0 if the text does not occur there.
    let position: String
    let keepsFromIndexes: String

    /// Returns an SQL expression with the value of a column, for which the database does not use the column's index.
    ///
    /// Use it in conditions for which the database would choose a bad index.
    func unindexed(_ column: String) -> String { keepsFromIndexes + column }

    static let sqlite = Self(
        engine: .sqlite, textsOfJSON: "json_each(?)", integersOfJSON: "json_each(?)",
        countsOfJSON: """
            (SELECT CAST(json_extract(value, '$[0]') AS INTEGER) AS app, CAST(json_extract(value, '$[1]') AS INTEGER) AS message,
                json_extract(value, '$[2]') AS name, CAST(json_extract(value, '$[3]') AS INTEGER) AS count FROM json_each(?))
            """,
        orderedJoin: "CROSS JOIN",
        position: "instr",
        keepsFromIndexes: "+")
}
