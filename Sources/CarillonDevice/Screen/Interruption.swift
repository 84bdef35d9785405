/// Something of the system's that covers the app in front without sending it away.
public enum Interruption: String, Sendable, Hashable, CaseIterable {
    case incomingCall, controlCenter, notificationCenter, appSwitcher, siri
}
