/// A row of a statement's result.
package struct SQLRow: Sendable {
    /// The names of the columns.
    ///
    /// All rows of a statement's result share this array.
    let columns: [String]
    let values: [SQLValue]

    /// The value of a column that must not be NULL.
    ///
    /// The tables exclude NULL and values of other types, but a damaged disk or another program can put them into a row.
    ///
    /// - Throws: ``ServiceError`` (`storage`), naming the column and the row, if the value is NULL or of another type.
    subscript<Value: SQLValueConvertible>(_ column: String) -> Value {
        get throws {
            guard let value: Value = self[column] else { throw unreadable(column) }
            return value
        }
    }

    /// Returns the value in the column at a position; `nil` if it is NULL, of another type, or missing.
    func value<Value: SQLValueConvertible>(at place: Int) -> Value? {
        values.indices.contains(place) ? Value(values[place]) : nil
    }

    /// The value of a column; `nil` if it is NULL, of another type, or missing.
    subscript<Value: SQLValueConvertible>(_ column: String) -> Value? {
        guard let place = columns.firstIndex(of: column) else { return nil }
        return Value(values[place])
    }
}
