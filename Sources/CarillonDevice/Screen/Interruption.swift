/// A system interface that covers the app in front without sending it to the background.
public enum Interruption: String, Sendable, Hashable, Codable, CaseIterable {
    case incomingCall, controlCenter, notificationCenter, appSwitcher, siri
}
