@_spi(Simulation) import ActivityKit
import Foundation
import Synchronization

/// The Live Activities as one app process sees them; usable from any thread.
///
/// ActivityKit answers an app at once, also off the main thread. Therefore each process has a copy of the phone's state, which
/// ``LiveActivities`` keeps up to date.
final class ProcessActivities: Sendable {
    /// The phone's state as far as an app may ask for it at once.
    struct View: Sendable {
        /// The app's Live Activities, in the order in which they began, also those that were dismissed while the app ran.
        var records: [ActivityRecord] = []
        var authorization = ActivityAuthorization(areActivitiesEnabled: false, frequentPushesEnabled: false)
        var pushToStartToken: Data?
        /// Whether Info.plist has `NSSupportsLiveActivities`.
        var isSupported = false
        var rules = PhoneRules()
    }

    private struct State {
        var view: View
        var isInFront = false
        /// The Live Activities that the app has requested and the phone has not shown yet.
        var requested: Set<String> = []
        var observers: [Int: @Sendable (ActivityEvent) -> Void] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>

    init(_ view: View) { state = Mutex(State(view: view)) }

    var view: View { state.withLock(\.view) }

    func setInFront(_ isInFront: Bool) { state.withLock { $0.isInFront = isInFront } }

    /// Replaces the copy of the phone's state; Live Activities that are missing in the new state have been dismissed.
    func update(_ view: View) {
        state.withLock { state in
            let known = Set(view.records.map(\.id))
            state.requested.subtract(known)
            let missing = state.view.records.filter { !known.contains($0.id) }
            state.view = view
            state.view.records =
                missing.filter { !state.requested.contains($0.id) }.map(\.dismissed) + view.records
                + missing.filter { state.requested.contains($0.id) }
        }
    }

    // MARK: requests

    /// Adds a Live Activity that the app requests.
    ///
    /// - Throws: `ActivityAuthorizationError` if the phone does not allow it.
    func request(_ draft: ActivityDraft, id: String) throws(ActivityAuthorizationError) -> ActivityRecord {
        let record = ActivityRecord(
            id: id, type: draft.type.name, attributes: draft.attributes, content: draft.content)
        let refusal = state.withLock { state -> ActivityAuthorizationError? in
            if let refusal = Self.refusal(of: draft, state) { return refusal }
            state.view.records.append(record)
            state.requested.insert(id)
            return nil
        }
        if let refusal { throw refusal }
        return record
    }

    private static func refusal(of draft: ActivityDraft, _ state: State) -> ActivityAuthorizationError? {
        let (view, rules) = (state.view, state.view.rules)
        if !view.isSupported, rules.keeps(.activityNeedsPlistKey) { return .unsupportedTarget }
        if !view.authorization.areActivitiesEnabled, rules.keeps(.activitySwitchCounts) { return .denied }
        if !state.isInFront, rules.keeps(.requestNeedsForeground) { return .visibility }
        let size = draft.attributes.count + draft.content.state.count
        if size > IOSLimits.activityBytes, rules.keeps(.activitySizeIsLimited) { return .attributesTooLarge }
        let live = view.records.filter { $0.state == .active || $0.state == .stale }
        return live.count < rules.activitiesPerApp ? nil : .targetMaximumExceeded
    }

    // MARK: observers

    var hasObservers: Bool { state.withLock { !$0.observers.isEmpty } }

    /// Adds an observer; the returned closure removes it.
    func observe(_ observer: @escaping @Sendable (ActivityEvent) -> Void) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = observer
            return state.lastNumber
        }
        return { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }

    /// Calls the observers, in the order in which they were added.
    func deliver(_ event: ActivityEvent) {
        for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key }.map(\.value) }) { observer(event) }
    }
}
