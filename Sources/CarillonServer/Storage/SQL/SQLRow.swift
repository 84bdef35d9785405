/// A row that a statement has returned.
package struct SQLRow: Sendable {
    /// The columns' names, which all rows of a statement share.
    let columns: [String]
    let values: [SQLValue]

    /// The value of a column that is never NULL.
    ///
    /// The process ends where it is, or where it holds something of another type: the tables rule that out. What may be NULL,
    /// or may have been damaged, is read as optional.
    subscript<Value: SQLValueConvertible>(_ column: String) -> Value {
        guard let value: Value = self[column] else {
            preconditionFailure("the column \(column) holds no \(Value.self)")
        }
        return value
    }

    /// The same by the column's place in the statement.
    func value<Value: SQLValueConvertible>(at place: Int) -> Value? {
        values.indices.contains(place) ? Value(values[place]) : nil
    }

    /// `nil` where the column is NULL, holds something else, or is not there.
    subscript<Value: SQLValueConvertible>(_ column: String) -> Value? {
        guard let place = columns.firstIndex(of: column) else { return nil }
        return Value(values[place])
    }
}
