/// The outcome of recalling a message from one device; never just "sent".
package enum RecallOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// The phone reports that the message is not on its screen and will not come back.
    case confirmed
    /// APNs has accepted the quiet notice that replaces the message, and the phone has not confirmed the removal.
    case replaced
    /// The message will be gone at the latest when the app is next launched.
    case pending = "pending until launch"
    /// No push of the message was sent to this device.
    case neverSent = "never sent"
}
