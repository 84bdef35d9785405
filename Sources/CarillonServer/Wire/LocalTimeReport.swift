import CarillonCore

/// The part of a ``NotificationReport`` that tells of a message in local time.
package struct LocalTimeReport: Sendable, Hashable, Codable {
    /// The time that the clock of each device shows when the message is due there.
    package var local: LocalTime
    /// The time zone that counts for devices whose own is not known, or `skip`.
    package var fallback: String
    /// The rule for devices whose moment was past when the message was accepted: `send`, at once, or `skip`.
    package var passed: String
    /// The moments for which devices wait, the next first; empty before sending has begun, and when no device waits.
    package var waits: [Wait]

    /// The word that means to leave out devices, in the place of a time zone or of `send`.
    package static let skipWord = "skip"
    /// The word that means to send at once to devices whose moment was past.
    package static let sendWord = "send"

    /// Devices that wait for one moment.
    package struct Wait: Sendable, Hashable, Codable {
        /// The moment at which the message is due for them.
        package var at: Timestamp
        /// The offset from UTC of a clock that shows the message's time at that moment, such as `+05:45`.
        ///
        /// It is that of the devices' zones, unless a change to summer time skips the message's time there.
        package var offset: String
        /// The number of devices.
        package var devices: Int
    }
}
