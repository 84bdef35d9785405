import Foundation

/// A value as a database keeps it, whichever engine that is.
///
/// Yes and no are the integers 1 and 0, moments are milliseconds since 1970.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob(Data)
}
