/// One record of a file, as it stands there.
struct ImportRecord: Hashable {
    /// The line on which it begins, counted from 1.
    var line: Int
    /// `nil` for one that is longer than ``ServiceLimits/importedRecordBytes``.
    var bytes: [UInt8]?
}
