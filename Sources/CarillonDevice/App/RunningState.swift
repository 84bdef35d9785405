/// Where an app is in its life.
public enum RunningState: String, Sendable, Hashable, Codable, CaseIterable {
    case foregroundActive
    /// In front, but something covers it or it is on its way in or out.
    case foregroundInactive
    /// Runs without being seen.
    case background
    case suspended
    case notRunning
    /// Not running, because the person swiped it away.
    case forceQuit

    public var isForeground: Bool { self == .foregroundActive || self == .foregroundInactive }
    public var isRunning: Bool { isForeground || self == .background }
}
