import Foundation

/// A Swift type that converts to and from the values of SQL statements and table columns.
package protocol SQLValueConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Decodes the value of a column.
    ///
    /// - Returns: the value; `nil` if the column holds another type, or a number that the service never writes.
    init?(_ value: SQLValue)
}

extension Int64: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(self) }

    /// Decodes an integer; `nil` if its magnitude exceeds 2⁴⁸.
    ///
    /// The service never writes greater numbers. They count as damaged, because calculating with them could overflow.
    package init?(_ value: SQLValue) {
        guard case .integer(let number) = value, number.magnitude <= 1 << 48 else { return nil }
        self = number
    }
}

extension Int: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }

    package init?(_ value: SQLValue) {
        guard let number = Int64(value).flatMap(Int.init(exactly:)) else { return nil }
        self = number
    }
}

extension Bool: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    package init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
    }
}

extension String: SQLValueConvertible {
    package var sqlValue: SQLValue { .text(self) }

    package init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Data: SQLValueConvertible {
    package var sqlValue: SQLValue { .blob(self) }

    package init?(_ value: SQLValue) {
        guard case .blob(let data) = value else { return nil }
        self = data
    }
}
