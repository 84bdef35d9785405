/// Splits the bytes of an imported file into records, keeping at most one incomplete record in memory.
struct ImportRecordReader {
    private let format: ImportFormat
    private var record: [UInt8] = []
    private var isTooLong = false
    private var isQuoted = false
    /// The line on which the current record begins, counted from 1.
    private var first = 1
    /// The line that is being read, counted from 1.
    private var line = 1

    init(_ format: ImportFormat) { self.format = format }

    /// Reads further bytes of the file.
    ///
    /// - Returns: the non-empty records that end in these bytes.
    mutating func received(_ bytes: some Sequence<UInt8>) -> [ImportRecord] {
        var records: [ImportRecord] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                line += 1
                if !isQuoted {
                    if let record = take() { records.append(record) }
                    continue
                }
            }
            if byte == UInt8(ascii: "\""), format == .csv { isQuoted.toggle() }
            if record.count < ServiceLimits.importedRecordBytes {
                record.append(byte)
            } else {
                // The record ends here, so that an unclosed quotation mark does not swallow the rest of the file.
                (isTooLong, isQuoted) = (true, false)
            }
        }
        return records
    }

    /// Records that the file has ended.
    ///
    /// - Returns: the last record if no line break ends it; otherwise `nil`.
    mutating func finish() -> ImportRecord? { take() }

    private mutating func take() -> ImportRecord? {
        defer {
            record.removeAll(keepingCapacity: true)
            (isTooLong, isQuoted) = (false, false)
            first = line
        }
        if isTooLong { return ImportRecord(line: first, bytes: nil) }
        if record.last == UInt8(ascii: "\r") { record.removeLast() }
        if first == 1, record.starts(with: Self.byteOrderMark) { record.removeFirst(Self.byteOrderMark.count) }
        return record.isEmpty ? nil : ImportRecord(line: first, bytes: record)
    }

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
