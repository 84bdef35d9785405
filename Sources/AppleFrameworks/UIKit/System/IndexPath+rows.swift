import Foundation

/// The index paths of tables and collections.
extension IndexPath {
    /// Makes the index path of a row in a table.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// Makes the index path of an item in a collection.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The section: the first index of the path, or 0 if there is none.
    public var section: Int {
        get { first ?? 0 }
        set { self = IndexPath(row: row, section: newValue) }
    }

    /// The row: the second index of the path, or 0 if there is none.
    public var row: Int {
        get { count > 1 ? self[1] : 0 }
        set { self = IndexPath(row: newValue, section: section) }
    }

    /// The item: the second index of the path, or 0 if there is none.
    public var item: Int {
        get { row }
        set { row = newValue }
    }
}
