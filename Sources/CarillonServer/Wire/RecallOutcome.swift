/// What became of taking a message back from one device; never just "sent".
package enum RecallOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// The phone says that it is not on its screen and will not come back.
    case confirmed
    /// APNs has accepted the quiet notice that takes its place, and the phone has not confirmed its removal.
    case replaced
    /// It will be gone at the latest when the app is next launched.
    case pending = "pending until launch"
    /// Nothing of it has left for this device.
    case neverSent = "never sent"
}
