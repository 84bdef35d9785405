/// The format of a file of devices.
package enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON object on each line.
    case ndjson
    /// Comma-separated values, with the column names in the first line ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)).
    ///
    /// Semicolons and tabs are accepted as separators too.
    case csv
}
