/// Whether an app runs, and how.
///
/// [Managing your app's life cycle](https://developer.apple.com/documentation/uikit/managing-your-app-s-life-cycle).
public enum RunningState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The app is in front, with nothing over it.
    case foregroundActive
    /// The app is in front, but something covers it or it is on its way in or out.
    case foregroundInactive
    /// Runs without being seen.
    case background
    /// The app is in memory, without running.
    case suspended
    /// Never launched, or ended by the system; a push may launch it.
    case notRunning
    /// Not running, because the person swiped it out of the app switcher; no push launches it.
    case forceQuit

    /// Whether the app is in front, active or not.
    public var isForeground: Bool { self == .foregroundActive || self == .foregroundInactive }
    /// Whether the app is in front, or running in the background.
    public var isRunning: Bool { isForeground || self == .background }
}
