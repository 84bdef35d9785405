import ActivityKit
import CarillonCore
import CarillonMessaging
import Foundation
import UIKit

/// The app's Live Activities that the service starts, updates and ends.
///
/// The SDK sends their tokens to the service with the registration, also those of Live Activities that the app starts itself. After
/// ``Carillon/signOut()`` the Live Activities leave the screen.
@MainActor
public final class CarillonLiveActivities {
    /// The names of the registered types.
    private var types: Set<String> = []
    private let store: CarillonStore
    private let clock: any CarillonClock
    private let report: @Sendable (CarillonEvent) -> Void
    /// Called with the names of all registered types.
    var onRegistration: @MainActor (Set<String>) -> Void = { _ in }
    /// Called when the tokens have changed.
    var onChange: @MainActor () -> Void = {}
    /// Closures that end all Live Activities of a registered type.
    private var endings: [@MainActor () async -> Void] = []
    /// Closures that compare a state of the service with the screen, by the names of the types.
    private var readings: [String: @MainActor (LiveActivityStates.State) -> Reading] = [:]
    /// The number of sign-outs since the launch.
    private(set) var signOutCount = 0
    /// The Live Activities on the screen, by iOS's identifiers.
    private var known: [String: Known] = [:]

    private struct Known {
        var type: String
        var id: String
        /// Its place in the order in which the SDK has found them.
        var order: Int
        /// The number of the question to the service whose answer knows of it.
        ///
        /// An answer that was given before the Live Activity began, or changed, does not tell whether it is the newest.
        var question = 0
        /// The clock's uptime at which the SDK has found it, which nobody can set.
        var foundAt: Duration
        /// Whether it takes no more updates, but may still be on the screen.
        var hasEnded = false
        /// The event of its last state; `nil` while it is active.
        var state: LiveActivityReceipt.Event?
        /// Ends the Live Activity, which leaves the screen at once.
        var end: @MainActor () async -> Void
    }

    /// The result of comparing a state of the service with the screen.
    private enum Reading {
        /// The Live Activities with these identifiers of iOS show it; there may be none.
        case shown(Set<String>)
        case unreadable
        case undecodable(String)
    }

    init(
        store: CarillonStore, clock: any CarillonClock, report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.store = store
        self.clock = clock
        self.report = report
    }

    /// Lets the service start, update and end the app's Live Activities of a type.
    ///
    /// Call it at each launch, before ``Carillon/start(launchOptions:)``:
    ///
    /// ```swift
    /// carillon.liveActivities.register(OrderAttributes.self) { $0.order }
    /// ```
    ///
    /// The backend starts a Live Activity under a name, such as `order-7`, and gives the name as one of its attributes. After
    /// a push that came twice or late, two Live Activities on the screen have one name. Then the SDK asks the service for the newest
    /// state, keeps the one that shows it, and ends the other.
    ///
    /// - Parameters:
    ///   - type: the type of the attributes; its name without the module is the `attributes-type` of the backend's call.
    ///   - id: returns the name of a Live Activity from its attributes: 1 to 64 bytes of `A–Z`, `a–z`, `0–9`, `.`, `_` and `-`.
    @available(iOS 17.2, *)
    public func register<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, id: @escaping @MainActor (Attributes) -> String
    ) {
        let name = String(describing: type)
        guard types.insert(name).inserted else { return }
        onRegistration(types)
        let present = Activity<Attributes>.activities
        store.update { [ids = Set(present.map(\.id))] in $0.liveActivities.keep(only: ids, of: name) }
        readings[name] = { Self.read($0, as: type, id) }
        let left = Set(present.filter { $0.activityState != .dismissed }.map { id($0.attributes) })
        let ended = present.filter { $0.activityState == .ended }.map { id($0.attributes) }
        observe {
            $0.keep(only: left, of: name, at: $1)
            for one in ended { $0.changed(to: .ended, name, one, at: $1) }
        }
        endings.append {
            for activity in Activity<Attributes>.activities { await activity.end(nil, dismissalPolicy: .immediate) }
        }
        heard(Activity<Attributes>.pushToStartToken) { $0.start(name, $1) }
        Task { [weak self] in
            for await token in Activity<Attributes>.pushToStartTokenUpdates {
                self?.heard(token) { $0.start(name, $1) }
            }
        }
        for activity in present { follow(activity, name, id) }
        Task { [weak self] in
            for await activity in Activity<Attributes>.activityUpdates { self?.follow(activity, name, id) }
        }
    }

    /// Forgets the tokens of all Live Activities and ends those of the registered types, because the user has signed out.
    func signOut() async {
        signOutCount += 1
        known = [:]
        store.update {
            $0.liveActivities.signOut()
            $0.activityReports.clear()
        }
        store.save()
        for end in endings { await end() }
    }

    @available(iOS 17.2, *)
    private func follow<Attributes>(
        _ activity: Activity<Attributes>, _ type: String, _ id: @MainActor (Attributes) -> String
    ) {
        let new = Known(
            type: type, id: id(activity.attributes), order: (known.values.map(\.order).max() ?? 0) + 1,
            foundAt: clock.uptime
        ) {
            await activity.end(nil, dismissalPolicy: .immediate)
        }
        guard known[activity.id] == nil, !activity.activityState.isEnd else { return }
        guard (try? MessageID(new.id)) != nil else { return report(.liveActivityHasNoName(type: type)) }
        let key = activity.id
        end(known.filter { $0.value.type == type && $0.value.id == new.id && $0.value.hasEnded })
        known[key] = new
        ask(about: key)
        let keep: @MainActor (inout LiveActivityTokens, DeviceToken) -> Void = {
            $0.update(key, LiveActivityToken(type: new.type, id: new.id, token: $1))
        }
        heard(activity.pushToken, keep)
        observe { $0.started(new.type, new.id, at: $1) }
        Task { [weak self] in
            for await token in activity.pushTokenUpdates where self?.known[key]?.hasEnded == false {
                self?.heard(token, keep)
            }
        }
        Task { [weak self] in
            for await _ in activity.contentUpdates { self?.ask(about: key) }
        }
        Task { [weak self] in
            for await state in activity.activityStateUpdates {
                self?.became(state, key)
                if state == .dismissed { break }
            }
        }
    }

    /// Asks the service for the newest states, because a Live Activity has begun or has another content.
    private func ask(about key: String) {
        guard let one = known[key] else { return }
        let hasTwin = live(one.type, one.id).count > 1
        observe { reports, _ in reports.ask(isUrgent: hasTwin) }
        known[key]?.question = store.contents.activityReports.question
    }

    /// Records a Live Activity's state; of two with one name, neither.
    @available(iOS 17.2, *)
    private func became(_ state: ActivityState, _ key: String) {
        guard let one = known[key] else { return }
        known[key]?.state = state.receipt
        let isReplaced = known.contains { $0.key != key && $0.value.type == one.type && $0.value.id == one.id }
        if !isReplaced { observe { $0.changed(to: state.receipt, one.type, one.id, at: $1) } }
        guard state.isEnd else { return }
        known[key]?.hasEnded = true
        if state == .dismissed || isReplaced { known[key] = nil }
        var tokens = store.contents.liveActivities
        tokens.end(key)
        change(to: tokens)
    }

    /// Records observations for the service, and sends them unless they come from an answer, whose reader goes on.
    private func observe(
        isAnswer: Bool = false, _ record: @MainActor (inout ActivityReports, Timestamp) -> Void
    ) {
        var reports = store.contents.activityReports
        record(&reports, store.contents.policy.time.now(clock.now))
        guard reports != store.contents.activityReports else { return }
        store.update { [reports] in $0.activityReports = reports }
        store.save()
        if !isAnswer { onChange() }
    }

    /// Asks the service for the newest states with the next request, because the app was launched or comes to the foreground.
    func ask() {
        guard !types.isEmpty else { return }
        store.update { $0.activityReports.ask() }
    }

    /// Compares the newest states with the screen: records those that it shows, and those that the app's types cannot decode.
    ///
    /// Of several Live Activities with one name, those end that do not show the newest state.
    ///
    /// - Parameters:
    ///   - states: the newest states.
    ///   - question: the number of the question to which they are the answer.
    func compare(with states: [LiveActivityStates.State], asked question: Int) {
        var decided: [[String]: Set<String>] = [:]
        for state in states {
            let name = [state.type, state.id]
            switch readings[state.type]?(state) {
            case .shown(let keys):
                decided[name] = keys
                if !keys.isEmpty { observe(isAnswer: true) { $0.shows(state, at: $1) } }
            case .undecodable(let why): observe(isAnswer: true) { $0.cannotDecode(state, why, at: $1) }
            case .unreadable, nil: break
            }
        }
        keepNewest(decided, question)
    }

    /// Ends those Live Activities of each name that do not show the newest state.
    ///
    /// If the service does not know the name, the app cannot decode the state, or none has shown it for long, the one stays that
    /// began last.
    ///
    /// - Parameters:
    ///   - decided: iOS's identifiers of those that show the newest state, by type and name.
    ///   - question: the number of the question that was answered.
    private func keepNewest(_ decided: [[String]: Set<String>], _ question: Int) {
        for name in Set(known.values.map({ [$0.type, $0.id] })) {
            let twins = live(name[0], name[1])
            guard twins.count > 1, twins.allSatisfy({ $0.value.question <= question }) else { continue }
            let isOverdue = twins.values.allSatisfy { clock.uptime > $0.foundAt + AppLimits.twinPatience }
            let shown = decided[name].map { keys in twins.filter { keys.contains($0.key) } } ?? twins
            let candidates = shown.isEmpty && isOverdue ? twins : shown
            guard let kept = candidates.max(by: { $0.value.order < $1.value.order }) else { continue }
            keep(kept.key, kept.value, of: twins)
        }
    }

    private func keep(_ key: String, _ one: Known, of twins: [String: Known]) {
        end(twins.filter { $0.key != key })
        observe(isAnswer: true) { $0.changed(to: one.state, one.type, one.id, at: $1) }
    }

    /// The Live Activities with a name that take updates, by iOS's identifiers.
    private func live(_ type: String, _ id: String) -> [String: Known] {
        known.filter { $0.value.type == type && $0.value.id == id && !$0.value.hasEnded }
    }

    private func end(_ some: [String: Known]) {
        var tokens = store.contents.liveActivities
        for key in some.keys {
            known[key] = nil
            tokens.end(key)
        }
        change(to: tokens)
        Task { for one in some.values { await one.end() } }
    }

    /// Decodes a state of the service as ActivityKit does, and compares it with the screen.
    @available(iOS 17.2, *)
    private static func read<Attributes: ActivityAttributes>(
        _ state: LiveActivityStates.State, as type: Attributes.Type, _ id: @MainActor (Attributes) -> String
    ) -> Reading {
        do {
            let attributes = try JSONDecoder().decode(Attributes.self, from: state.attributes.encoded())
            do {
                let content = try JSONDecoder().decode(
                    Attributes.ContentState.self, from: state.contentState.encoded())
                let name = id(attributes)
                var keys: Set<String> = []
                for activity in Activity<Attributes>.activities where id(activity.attributes) == name {
                    if activity.content.state == content { keys.insert(activity.id) }
                }
                return .shown(keys)
            } catch let error as DecodingError {
                return .undecodable("content-state: \(error.sentence)")
            }
        } catch let error as DecodingError {
            return .undecodable("attributes: \(error.sentence)")
        } catch {
            return .unreadable
        }
    }

    private func heard(
        _ data: Data?, _ keep: @MainActor (inout LiveActivityTokens, DeviceToken) -> Void
    ) {
        guard let token = data.flatMap({ DeviceToken($0) }) else { return }
        var tokens = store.contents.liveActivities
        keep(&tokens, token)
        change(to: tokens)
    }

    private func change(to tokens: LiveActivityTokens) {
        guard tokens != store.contents.liveActivities else { return }
        store.update { $0.liveActivities = tokens }
        store.save()
        onChange()
    }
}

@available(iOS 17.2, *)
extension ActivityState {
    /// Whether the Live Activity takes no more updates.
    fileprivate var isEnd: Bool { self == .ended || self == .dismissed }

    /// The event that a receipt reports; `nil` for an active Live Activity.
    fileprivate var receipt: LiveActivityReceipt.Event? {
        switch self {
        case .stale: .stale
        case .ended: .ended
        case .dismissed: .dismissed
        default: nil
        }
    }
}
