/// The value of `aps.event` in a push for a Live Activity, with the rules for the push's other keys.
///
/// The simulated phone and `carillon validate` read these rules, from [Starting and updating Live
/// Activities](https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications).
package enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
    case start, update, end

    /// The keys of `aps` without which a phone ignores the push, apart from `event`.
    ///
    /// Apple requires `alert` for a start. A sender found that a phone [drops a start without
    /// it](https://hub.lhzy.net/GoCarrot/TeakCocoaPodsExample/pull/2/files).
    package var requiredKeys: [String] {
        switch self {
        case .start: ["timestamp", "content-state", "attributes-type", "attributes", "alert"]
        case .update: ["timestamp", "content-state"]
        case .end: ["timestamp"]
        }
    }

    /// The keys of `aps` that a phone reads for this event, apart from the required keys and `event`.
    package var optionalKeys: [String] {
        switch self {
        case .start: ["stale-date", "relevance-score", "input-push-token", "input-push-channel"]
        case .update: ["stale-date", "relevance-score", "alert"]
        case .end: ["content-state", "stale-date", "dismissal-date", "relevance-score", "alert"]
        }
    }

    /// The keys whose values are times, in seconds since 1970.
    package static let times: Set<String> = ["timestamp", "stale-date", "dismissal-date"]

    /// The longest time for which a Live Activity is active: eight hours, in seconds.
    ///
    /// See [Displaying live data with Live
    /// Activities](https://developer.apple.com/documentation/activitykit/displaying-live-data-with-live-activities).
    package static let activeSeconds = 8 * 3600

    /// Returns whether a time is so large that its sender has probably written milliseconds instead of seconds.
    ///
    /// - Parameter time: a time in seconds since 1970.
    /// - Returns: whether the time is later than the year 5000.
    package static func isProbablyMilliseconds(_ time: Double) -> Bool { time > 100_000_000_000 }
}
