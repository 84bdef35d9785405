import CarillonCore

/// The effect of a push with `content-available` on its app, with the reason.
enum WakeDecision: Sendable, Hashable {
    /// The app runs or is suspended, and the phone calls the app delegate's
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    case callHandler(why: String)
    /// The phone launches the app in the background, and then calls the app delegate's
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    case launch(why: String)
    /// The phone holds the push back until the app may be woken; it keeps only the newest push of an app.
    case hold(Hold)
    case none(why: String)

    /// The reason for which the phone holds a push back.
    enum Hold: Sendable, Hashable {
        case lowPowerMode, criticalBattery
        /// The app has used up ``PhoneRules/silentWakesPerHour``; the push waits until the oldest of these wakes is an hour old.
        case budget

        var why: String {
            switch self {
            case .lowPowerMode: "held: Low Power Mode is on"
            case .criticalBattery: "held: the battery is critically low"
            case .budget: "held: the app has had all the silent pushes that it may have in an hour"
            }
        }
    }

    var why: String {
        switch self {
        case .callHandler(let why), .launch(let why), .none(let why): why
        case .hold(let hold): hold.why
        }
    }
}

/// The conditions that decide whether a push wakes its app.
struct WakeInput: Sendable {
    var state: RunningState
    var hasBackgroundMode = true
    var isSilent = true
    var isLowPowerModeOn = false
    var isBatteryCritical = false
    var isBackgroundRefreshOn = true
    /// Whether a silent push may still wake the app in this hour: see ``PhoneRules/silentWakesPerHour``.
    var isWithinBudget = true
}

extension WakeDecision {
    static func decide(_ input: WakeInput, rules: PhoneRules) -> WakeDecision {
        switch input.state {
        case .foregroundActive, .foregroundInactive:
            return .callHandler(why: "called in the foreground")
        case .background, .suspended, .notRunning, .forceQuit: break
        }
        guard input.hasBackgroundMode || !rules.keeps(.silentNeedsBackgroundMode) else {
            return .none(why: "not woken: the app does not declare the background mode remote-notification")
        }
        if input.state == .forceQuit, rules.keeps(.forceQuitStopsWakes) {
            return .none(why: "not woken: the app had been force-quit when the push came")
        }
        guard input.isBackgroundRefreshOn else {
            return .none(why: "not woken: Background App Refresh is off for this app")
        }
        if input.isLowPowerModeOn, input.isSilent, rules.lowPowerModeHoldsSilentPushes {
            return .hold(.lowPowerMode)
        }
        if input.isBatteryCritical, input.isSilent { return .hold(.criticalBattery) }
        guard input.isWithinBudget || !input.isSilent else {
            return .hold(.budget)
        }
        switch input.state {
        case .notRunning, .forceQuit: return .launch(why: "launched in the background")
        default: return .callHandler(why: "woken in the background")
        }
    }
}

/// The times at which silent pushes have woken an app, for the limit ``PhoneRules/silentWakesPerHour``.
struct BackgroundBudget: Sendable, Hashable {
    /// The times of the newest wakes, oldest first; a wake that counts several times is listed several times.
    private var wakes: [Timestamp] = []
    private let window: Duration

    /// Makes an unused budget.
    ///
    /// - Parameter windowSeconds: the time within which wakes count, in seconds; the default is an hour.
    init(windowSeconds: Int = 3600) { window = .seconds(windowSeconds) }

    /// Returns whether another wake is allowed now.
    func mayWake(at now: Timestamp, limit: Int?) -> Bool { limit.map { counting(at: now).count < $0 } ?? true }

    /// Records that a silent push has woken the app.
    ///
    /// - Parameters:
    ///   - now: the time of the wake.
    ///   - cost: the number of wakes that this one counts for; the default is 1.
    mutating func woke(at now: Timestamp, cost: Int = 1) {
        wakes.removeFirst(wakes.count - counting(at: now).count)
        wakes += Array(repeating: now, count: min(max(0, cost), PhoneLimits.wakesRemembered))
        // The list is shortened rarely, because the removal moves all other elements.
        if wakes.count > 2 * PhoneLimits.wakesRemembered {
            wakes.removeFirst(wakes.count - PhoneLimits.wakesRemembered)
        }
    }

    /// Returns the time at which the oldest wake no longer counts, so that another wake is allowed; `nil` if none counts now.
    func nextWake(after now: Timestamp) -> Timestamp? { counting(at: now).first.map { $0 + window } }

    /// The wakes that count, oldest first.
    private func counting(at now: Timestamp) -> ArraySlice<Timestamp> {
        let end = now - window
        return wakes[(wakes.firstIndex { $0 > end } ?? wakes.endIndex)...]
    }
}
