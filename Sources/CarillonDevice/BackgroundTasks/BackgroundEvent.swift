import UIKit

/// A reason, other than a push, for which the system calls an app in the background.
enum BackgroundEvent: Sendable, Hashable {
    /// A background fetch: `application(_:performFetchWithCompletionHandler:)`.
    case fetch
    /// Finished transfers: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    case transfers(session: String)

    var name: String {
        switch self {
        case .fetch: "background fetch"
        case .transfers(let session): "transfers of the background session \(session)"
        }
    }

    /// A short name for the app delegate's method that iOS calls for this event; error texts and ``Phone/history`` contain it.
    var delegateMethod: String {
        switch self {
        case .fetch: "performFetch"
        case .transfers: "handleEventsForBackgroundURLSession"
        }
    }
}

/// The conditions that decide whether the system calls an app in the background for a ``BackgroundEvent``.
struct BackgroundEventInput: Sendable {
    var state: RunningState
    var hasFetchMode = true
    /// Whether the app has requested background fetches, by setting an interval other than never.
    var wantsToFetch = true
    var isBackgroundRefreshOn = true
    var isLowPowerModeOn = false
    var isBatteryCritical = false
}

extension BackgroundEvent {
    /// Returns the reason why the app is not called; `nil` if it is called.
    func refusal(_ input: BackgroundEventInput, rules: PhoneRules) -> String? {
        if input.state == .forceQuit, rules.keeps(.forceQuitStopsWakes) {
            return "not called: the app had been force-quit by then"
        }
        switch self {
        case .fetch: return fetchRefusal(input)
        case .transfers:
            guard input.state.isRunning else { return nil }
            return "not called: the app is running, so its session's delegate is told"
        }
    }

    private func fetchRefusal(_ input: BackgroundEventInput) -> String? {
        if input.state.isForeground { return "not called: the app is in the foreground" }
        guard input.hasFetchMode else { return "not called: the app does not declare the background mode fetch" }
        guard input.wantsToFetch else {
            return "not called: the app has not called setMinimumBackgroundFetchInterval"
        }
        guard input.isBackgroundRefreshOn else {
            return "not called: Background App Refresh is off for this app"
        }
        if input.isBatteryCritical { return "not called: the battery is critically low" }
        return input.isLowPowerModeOn ? "not called: Low Power Mode is on" : nil
    }
}
