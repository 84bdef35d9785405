import DequeModule

/// The encoder's side of HPACK's dynamic table, [RFC 7541 §2.3.2](https://www.rfc-editor.org/rfc/rfc7541#section-2.3.2).
///
/// The server remembers fields of earlier header blocks. The table lists these fields, oldest first.
struct HeaderTable: Sendable {
    /// The value of SETTINGS_HEADER_TABLE_SIZE, in bytes, until the server sets another one.
    ///
    /// The client never uses a larger table, even if the server allows one.
    static let defaultByteLimit = 4096
    /// The number of bytes that an entry takes in addition to its name and value (RFC 7541 §4.1).
    static let entryOverhead = 32
    /// The number of static entries, which precede the dynamic ones (RFC 7541, Appendix A).
    static let staticEntryCount = 61

    struct Entry: Sendable {
        let field: HeaderField
        let value: String

        var byteCount: Int { field.name.utf8CodeUnitCount + value.utf8.count + HeaderTable.entryOverhead }
    }

    private(set) var byteLimit = Self.defaultByteLimit
    private(set) var byteCount = 0
    private var entries: Deque<Entry> = []
    /// The number of evicted entries.
    ///
    /// Entry `n` of all entries ever inserted is `entries[n - evicted]`.
    private var evicted = 0

    var count: Int { entries.count }

    /// The number of entries ever inserted.
    ///
    /// Each new entry shifts the indices of the earlier ones.
    var insertionCount: Int { evicted + entries.count }

    /// Returns the number of the entry with this field and value, counted from 0 for the first entry ever inserted; `nil` if the
    /// table has no such entry.
    func number(of field: HeaderField, _ value: String) -> Int? {
        guard let index = entries.lastIndex(where: { $0.field == field && $0.value == value }) else { return nil }
        return evicted + index
    }

    /// Returns the index by which a header block refers to the entry `number`; `nil` if the entry has been evicted.
    ///
    /// The entries' numbers count all entries ever inserted, from 0.
    func index(ofNumber number: Int) -> Int? {
        guard number >= evicted else { return nil }
        return Self.staticEntryCount + entries.count - (number - evicted)
    }

    /// Adds an entry and evicts the oldest ones to make room.
    ///
    /// An entry larger than the table empties the table ([RFC 7541 §4.4](https://www.rfc-editor.org/rfc/rfc7541#section-4.4)).
    ///
    /// - Returns: the number of the entry.
    mutating func insert(_ field: HeaderField, _ value: String) -> Int {
        let entry = Entry(field: field, value: value)
        let number = insertionCount
        evict(downTo: byteLimit - entry.byteCount)
        guard entry.byteCount <= byteLimit else {
            evicted = number + 1
            return number
        }
        entries.append(entry)
        byteCount += entry.byteCount
        return number
    }

    mutating func resize(to limit: Int) {
        byteLimit = limit
        evict(downTo: limit)
    }

    private mutating func evict(downTo limit: Int) {
        while byteCount > limit, let oldest = entries.popFirst() {
            byteCount -= oldest.byteCount
            evicted += 1
        }
    }
}
