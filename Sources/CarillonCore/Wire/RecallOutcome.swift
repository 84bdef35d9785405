/// What became of taking a message back from one device; never just "sent".
package enum RecallOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// The phone says that it is not on its screen and will not come back.
    case confirmed
    /// Something else stands in its place.
    case replaced
    /// It will be gone at the latest when the app is next launched.
    case pending = "pending until launch"
    /// It had never been sent to this device.
    case neverSent = "never sent"
}
