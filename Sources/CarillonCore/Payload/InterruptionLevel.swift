/// `interruption-level`: how much a notification may disturb
/// ([UNNotificationInterruptionLevel](https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel)).
public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable, Codable {
    /// Goes to the list without lighting up the screen or playing a sound.
    case passive
    /// Lights up the screen and may play a sound: what iOS takes when the key is absent.
    case active
    /// Breaks through Focus and scheduled summaries; needs the entitlement for time-sensitive notifications.
    case timeSensitive = "time-sensitive"
    /// Breaks through the mute switch too; needs the entitlement for critical alerts.
    case critical

    init(json: JSONValue) throws(PayloadError) {
        guard let text = json.stringValue, let level = Self(rawValue: text) else {
            throw PayloadError(key: "", problem: "must be one of passive, active, time-sensitive, critical")
        }
        self = level
    }
}
