import CarillonCore

/// The report that a command about channels prints when it is done.
struct ChannelReport {
    /// The report as text, line by line.
    let lines: [String]
    /// The report that `--json` prints.
    let json: [String: JSONValue]
}
