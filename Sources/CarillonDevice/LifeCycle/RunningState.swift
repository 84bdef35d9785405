/// Whether and how an app runs.
///
/// See [Managing your app's life cycle](https://developer.apple.com/documentation/uikit/managing-your-app-s-life-cycle).
public enum RunningState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The app is in front, and nothing covers it.
    case foregroundActive
    /// The app is in front but inactive: something covers the app, or the app is entering or leaving the foreground.
    case foregroundInactive
    /// The app runs in the background.
    case background
    /// The app is in memory, but its code does not run.
    case suspended
    /// The app was never launched, or the system has ended it; a push may launch it.
    case notRunning
    /// The person has swiped the app out of the app switcher; no silent push launches it.
    case forceQuit

    /// Whether the app is in front, active or not.
    public var isForeground: Bool { self == .foregroundActive || self == .foregroundInactive }
    /// Whether the app is in front, or running in the background.
    public var isRunning: Bool { isForeground || self == .background }
}
