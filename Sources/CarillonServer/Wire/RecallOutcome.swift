/// The outcome of recalling a message from one device.
package enum RecallOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// The phone reports that the message is not on its screen and will not come back.
    case confirmed
    /// APNs has accepted the notice that replaces the message, and the phone has not confirmed the removal.
    case replaced
    /// The phone has not yet confirmed the removal of the message.
    ///
    /// The phone removes the message at the latest after the next launch of the app.
    case pending = "pending until launch"
    /// No push of the message was sent to this device.
    case neverSent = "never sent"
}
