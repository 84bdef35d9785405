/// The format of a file of devices.
package enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON object on each line.
    case ndjson
    /// Columns by name, after a first line that names them ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)); separated by
    /// commas, semicolons or tabs.
    case csv
}
