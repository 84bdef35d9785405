import CarillonCore
import Foundation

/// A Live Activity on a phone: its values, and the rules for its updates and its end.
///
/// The phone shows the values of attributes and content state, by name, in the place of the presentation that SwiftUI draws on an
/// iPhone.
public struct LiveActivity: Sendable, Hashable, Codable, Identifiable {
    /// The state of a Live Activity, as in ActivityKit's `ActivityState`.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case active
        /// Outdated: the stale date has passed without an update.
        case stale
        /// Still on the lock screen, but without further updates.
        case ended
        /// No longer on the lock screen.
        case dismissed
    }

    /// The source of the pushes that update a Live Activity.
    public enum Source: Sendable, Hashable, Codable {
        /// Only the app updates it.
        case app
        /// Pushes to the Live Activity's own token.
        case token
        /// Broadcasts to the channel with this ID.
        case channel(String)
    }

    /// The identifier that the app sees as `Activity.id`.
    public let id: String
    /// The bundle ID of the app.
    public let bundleID: String
    /// The name of the app's type of `ActivityAttributes`.
    public let attributesType: String
    /// The static values, as JSON.
    public let attributes: JSONValue
    /// The newest content state, as JSON.
    public internal(set) var contentState: JSONValue
    /// The app's description of its presentation; `nil` if the app gives none.
    public internal(set) var card: LiveActivityCard?
    /// The state at the time of the last change.
    public internal(set) var state = State.active
    /// The time at which the Live Activity began.
    public let startedAt: Timestamp
    /// The time at which it ended; `nil` before the end.
    public internal(set) var endedAt: Timestamp?
    /// The time from which the content is outdated; `nil` means never.
    public internal(set) var staleDate: Timestamp?
    /// The time at which the ended Live Activity leaves the lock screen; `nil` before the end.
    public internal(set) var dismissalDate: Timestamp?
    /// The rank among the app's Live Activities: the highest leads.
    public internal(set) var relevanceScore: Double
    /// The source of the pushes that update the Live Activity.
    public let source: Source
    /// The token for pushes to the Live Activity; `nil` until the phone has fetched it, and after the end.
    public internal(set) var pushToken: Data?
    /// The time of the newest content, in seconds since 1970, as its sender or the app gave it.
    var newest: Double

    /// Whether updates still change the Live Activity.
    public var isLive: Bool { state == .active || state == .stale }

    /// An update or an end by a push or by the app.
    struct Change: Sendable {
        var contentState: JSONValue?
        var staleDate: Timestamp?
        var relevanceScore = 0.0
        var card: LiveActivityCard?
        /// The time of the change, in seconds since 1970.
        var timestamp: Double
        /// The time at which the Live Activity leaves the lock screen; `nil` for an update.
        var dismissal: Dismissal?
    }

    enum Dismissal: Sendable, Hashable {
        case standard
        case at(Timestamp)
    }

    // MARK: changes

    /// Applies an update or an end.
    ///
    /// - Returns: the reason why the change is ignored, as a sentence without a full stop; `nil` if it was applied.
    mutating func apply(_ change: Change, at now: Timestamp, rules: PhoneRules) -> String? {
        guard isLive else { return "ignored: the Live Activity has ended" }
        let isOlder = change.timestamp < newest && rules.keeps(.olderUpdateIsIgnored)
        if isOlder, change.dismissal == nil || rules.olderEndIsIgnored {
            return "ignored: its timestamp \(Self.text(change.timestamp)) is older than \(Self.text(newest)), "
                + "the timestamp of the content on the screen"
        }
        newest = max(newest, change.timestamp)
        if let content = change.contentState {
            contentState = content
            card = change.card
            staleDate = change.staleDate
            relevanceScore = change.relevanceScore
            state = .active
        }
        if let dismissal = change.dismissal { end(dismissal, at: now, rules: rules) }
        advance(to: now, rules: rules)
        return nil
    }

    /// Ends the Live Activity, which stays on the lock screen for at most four hours.
    mutating func end(_ dismissal: Dismissal, at time: Timestamp, rules: PhoneRules) {
        guard isLive else { return }
        state = .ended
        endedAt = time
        let latest = time + .seconds(rules.endedActivitySeconds)
        dismissalDate = if case .at(let date) = dismissal { min(max(time, date), latest) } else { latest }
    }

    mutating func dismiss(at now: Timestamp) {
        guard state != .dismissed else { return }
        state = .dismissed
        endedAt = endedAt ?? now
        dismissalDate = now
    }

    /// Applies everything that has fallen due by now: the stale date, the end after eight hours, and the dismissal.
    mutating func advance(to now: Timestamp, rules: PhoneRules) {
        if state == .active, let staleDate, staleDate <= now, rules.keeps(.staleDateMakesStale) { state = .stale }
        let latest = startedAt + .seconds(rules.activeActivitySeconds)
        if isLive, latest <= now { end(.standard, at: latest, rules: rules) }
        if state == .ended, let dismissalDate, dismissalDate <= now { state = .dismissed }
    }

    /// The next time at which ``advance(to:rules:)`` has something to do; `nil` if there is none.
    func nextDeadline(rules: PhoneRules) -> Timestamp? {
        switch state {
        case .active:
            [rules.keeps(.staleDateMakesStale) ? staleDate : nil, startedAt + .seconds(rules.activeActivitySeconds)]
                .compactMap(\.self).min()
        case .stale: startedAt + .seconds(rules.activeActivitySeconds)
        case .ended: dismissalDate
        case .dismissed: nil
        }
    }

    /// A time in seconds as people write it, without needless decimals.
    static func text(_ seconds: Double) -> String {
        Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}

extension LiveActivity {
    /// The static values and the content state as pairs of a name and a text, in the order of their names.
    ///
    /// A value inside a dictionary has a name with a dot, such as `home.score`.
    public var values: [(name: String, text: String)] { Self.values(attributes) + Self.values(contentState) }

    /// The content state as pairs of a name and a text, in the order of their names.
    public var stateValues: [(name: String, text: String)] { Self.values(contentState) }

    private static func values(_ value: JSONValue, _ path: String = "") -> [(name: String, text: String)] {
        guard let members = value.members else { return [(path, value.shortText)] }
        return members.sorted().flatMap { values($0.value, path.isEmpty ? $0.key : "\(path).\($0.key)") }
    }
}

extension JSONValue {
    /// The value as a person reads it: a string without quotation marks, any other value as JSON.
    fileprivate var shortText: String {
        if let text = stringValue { return text }
        return (try? encoded()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
