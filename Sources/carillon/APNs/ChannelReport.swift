import CarillonCore

/// The report of a command about channels.
struct ChannelReport {
    /// The report as text, line by line.
    let lines: [String]
    /// The report as JSON, for `--json`.
    let json: [String: JSONValue]
}
