/// A row that a statement has returned.
package struct SQLRow: Sendable {
    /// The names of the columns, shared by all rows of a statement.
    let columns: [String]
    let values: [SQLValue]

    /// The value of a column that is never NULL.
    ///
    /// The process ends if it is NULL or of another type, which the tables rule out. A column that may be NULL, or may have
    /// been damaged, is read as optional.
    subscript<Value: SQLValueConvertible>(_ column: String) -> Value {
        guard let value: Value = self[column] else {
            preconditionFailure("the column \(column) holds no \(Value.self)")
        }
        return value
    }

    /// Returns a value by its column's position in the statement.
    func value<Value: SQLValueConvertible>(at place: Int) -> Value? {
        values.indices.contains(place) ? Value(values[place]) : nil
    }

    /// The value of a column; `nil` if it is NULL, of another type, or missing.
    subscript<Value: SQLValueConvertible>(_ column: String) -> Value? {
        guard let place = columns.firstIndex(of: column) else { return nil }
        return Value(values[place])
    }
}
