import Foundation

/// A value in a database, in a form that is independent of the engine.
///
/// Booleans are the integers 1 and 0. Times are integers: milliseconds since 1970.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob(Data)
}
