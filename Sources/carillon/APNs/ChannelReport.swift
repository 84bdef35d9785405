import CarillonCore

/// What a command about channels prints when it is done.
struct ChannelReport {
    /// As text, a line each.
    let lines: [String]
    /// With `--json`.
    let json: [String: JSONValue]
}
