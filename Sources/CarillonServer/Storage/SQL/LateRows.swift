/// The rows of a statement that was sent and whose result need not have arrived yet.
package struct LateRows {
    private let read: () throws -> [SQLRow]

    /// Wraps the rows of a statement.
    ///
    /// - Parameter read: a function that returns the rows, and waits for them if they have not arrived.
    init(_ read: @escaping () throws -> [SQLRow]) { self.read = read }

    /// Returns the rows, and waits for them if they have not arrived.
    ///
    /// - Throws: the errors of the statement, and of statements that were sent before it.
    func rows() throws -> [SQLRow] { try read() }
}
