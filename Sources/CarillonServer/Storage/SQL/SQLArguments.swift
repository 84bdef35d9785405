/// The values for the question marks of an SQL statement, in the order of the question marks.
package struct SQLArguments: ExpressibleByArrayLiteral, Hashable, Sendable {
    private(set) var values: [SQLValue]

    init() { values = [] }

    package init(arrayLiteral elements: (any SQLValueConvertible)?...) {
        values = elements.map { $0?.sqlValue ?? .null }
    }

    init(_ elements: some Sequence<some SQLValueConvertible>) { values = elements.map(\.sqlValue) }

    init(_ value: SQLValue) { values = [value] }

    init(_ values: [SQLValue]) { self.values = values }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum += right
        return sum
    }

    static func += (left: inout Self, right: Self) { left.values += right.values }
}
