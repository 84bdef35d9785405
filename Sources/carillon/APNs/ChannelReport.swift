import CarillonCore

/// The report of a command about channels.
struct ChannelReport {
    /// The lines of the report as text.
    let lines: [String]
    /// The report as JSON, for `--json`.
    let json: [String: JSONValue]
}
