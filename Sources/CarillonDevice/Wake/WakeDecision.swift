/// What a push with `content-available` does to its app, and why.
enum WakeDecision: Sendable, Hashable {
    /// The app runs, or sleeps, and its handler is called.
    case callHandler(why: String)
    /// The app is launched in the background, then its handler is called.
    case launch(why: String)
    /// Kept until the app may be woken: only the newest is.
    case hold(why: String)
    case none(why: String)

    var why: String {
        switch self {
        case .callHandler(let why), .launch(let why), .hold(let why), .none(let why): why
        }
    }
}

/// Everything that bears on whether a push wakes its app.
struct WakeInput: Sendable {
    var state: RunningState
    var hasBackgroundMode = true
    var isSilent = true
    var isLowPowerModeOn = false
    var isBackgroundRefreshOn = true
    /// Whether the app has wakes left in this hour.
    var isWithinBudget = true
}

extension WakeDecision {
    static func decide(_ input: WakeInput, rules: PhoneRules) -> WakeDecision {
        switch input.state {
        case .foregroundActive, .foregroundInactive:
            return .callHandler(why: "the app is in the foreground (rule 14)")
        case .background, .suspended, .notRunning, .forceQuit: break
        }
        guard input.hasBackgroundMode || !rules.keeps(.silentNeedsBackgroundMode) else {
            return .none(why: "not woken: the app does not declare the background mode remote-notification (rule 14)")
        }
        if input.state == .forceQuit, rules.keeps(.forceQuitStopsWakes) {
            return .none(why: "not woken: the person force-quit the app, and has not opened it since (rule 15)")
        }
        guard input.isBackgroundRefreshOn else {
            return .none(why: "not woken: Background App Refresh is off for this app (rule 35)")
        }
        if input.isLowPowerModeOn, input.isSilent, rules.lowPowerModeHoldsSilentPushes {
            return .hold(why: "held: Low Power Mode is on (rule 35)")
        }
        guard input.isWithinBudget || !input.isSilent else {
            return .hold(why: "held: the app has used up this hour's silent wakes (rule 17)")
        }
        switch input.state {
        case .notRunning, .forceQuit: return .launch(why: "launched in the background (rule 14)")
        default: return .callHandler(why: "woken in the background (rule 14)")
        }
    }
}

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
