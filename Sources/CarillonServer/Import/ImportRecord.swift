/// One record of an imported file, before it is decoded.
struct ImportRecord: Hashable {
    /// The line on which the record begins, counted from 1.
    var line: Int
    /// The bytes of the record; `nil` if it is longer than ``ServiceLimits/importedRecordBytes``.
    var bytes: [UInt8]?
}
