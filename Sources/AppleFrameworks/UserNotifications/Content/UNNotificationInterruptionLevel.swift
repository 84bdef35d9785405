/// How much a notification may interrupt the person.
/// [UNNotificationInterruptionLevel](https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
@available(iOS 15, *)
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    case passive = 0
    case active = 1
    case timeSensitive = 2
    case critical = 3
}
