/// Whether an app runs, and how.
///
/// [Managing your app's life cycle](https://developer.apple.com/documentation/uikit/managing-your-app-s-life-cycle).
public enum RunningState: String, Sendable, Hashable, Codable, CaseIterable {
    /// In front, with nothing over it.
    case foregroundActive
    /// In front, but something covers it or it is on its way in or out.
    case foregroundInactive
    /// Runs without being seen.
    case background
    /// In memory, without running.
    case suspended
    /// Never launched, or ended by the system; a push may launch it.
    case notRunning
    /// Not running, because the person swiped it out of the app switcher; no push launches it.
    case forceQuit

    /// In front, active or not.
    public var isForeground: Bool { self == .foregroundActive || self == .foregroundInactive }
    /// In front, or running in the background.
    public var isRunning: Bool { isForeground || self == .background }
}
