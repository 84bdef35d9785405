/// One record of a file, before it is decoded.
struct ImportRecord: Hashable {
    /// The line on which it begins, counted from 1.
    var line: Int
    /// The bytes of the record; `nil` for a record that is longer than ``ServiceLimits/importedRecordBytes``.
    var bytes: [UInt8]?
}
