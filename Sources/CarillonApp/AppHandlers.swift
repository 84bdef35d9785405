import CarillonCore
import CarillonMessaging
import UIKit
import UserNotifications

/// The app's handler closures, and the messages and responses that wait for them.
///
/// A message or response goes to its handler as soon as the app has launched and has set the handler. A response that opens the
/// app also waits for ``appIsReady()``. Each message or response stays in the store (``HandOvers``) until its handler has
/// returned.
@MainActor
final class AppHandlers {
    var onMessage: (@MainActor (Carillon.Message) async -> Void)? { didSet { handOverWaiting() } }
    var onResponse: (@MainActor (Carillon.Response) async -> Void)? { didSet { handOverWaiting() } }
    var onRefresh: (@MainActor (_ userInfo: [String: JSONValue]) async -> UIBackgroundFetchResult)?
    var onRemoval: (@MainActor (_ removed: [Carillon.Removal]) -> Void)? { didSet { tellRemovals() } }

    private let store: CarillonStore
    private let clock: any CarillonClock
    private let tasks: OwnedTasks
    private let report: @Sendable (CarillonEvent) -> Void
    private var removals: [Carillon.Removal] = []
    /// The messages and responses whose handlers are running, each with the callers that wait for its handler to return.
    private var underWay: [HandOvers.Key: [UnsafeContinuation<Void, Never>]] = [:]
    private var isStarted = false
    private var isReady = false
    private var responses = KnownResponses()
    private var readingRule = ReadingRule()
    private var backgroundActions = BackgroundActions([])
    private var readiness: ScheduledAction?

    init(
        _ configuration: Carillon.Configuration, store: CarillonStore, clock: any CarillonClock, tasks: OwnedTasks
    ) {
        self.store = store
        self.clock = clock
        self.tasks = tasks
        report = configuration.report
    }

    // MARK: Handing over

    /// Calls the app's handlers with the messages and responses that were waiting before the launch.
    ///
    /// Call this method after the launch has removed recalled messages from the notification list. If a handler was already
    /// called twice for a message or response, and the app ended during both calls, the method does not call it again. It drops
    /// the message or response, and reports ``CarillonEvent/handlerNeverReturned(identifier:)``.
    func start() {
        isStarted = true
        for key in store.contents.policy.handOvers.keys where underWay[key] == nil {
            guard let item = store.contents.policy.handOvers[key], item.isGivenUp else { continue }
            store.update { $0.policy.handOvers.remove(key) }
            report(.handlerNeverReturned(identifier: item.identifier))
        }
        handOverWaiting()
    }

    /// Calls the app's handler with one waiting message or response, and returns when the handler has returned.
    ///
    /// Does not call the handler if the app has not set it yet, or for a response that still waits for ``appIsReady()``.
    func handOver(_ key: HandOvers.Key) async {
        guard underWay[key] == nil else {
            return await withUnsafeContinuation { waiter in
                if underWay[key] == nil { waiter.resume() } else { underWay[key]?.append(waiter) }
            }
        }
        guard let item = store.contents.policy.handOvers[key], mayBeHandedOver(item) else {
            return await store.saved()
        }
        underWay[key] = []
        store.update { $0.policy.handOvers.willCall(key) }
        // If the app ends inside the handler, the next launch finds this call counted.
        await store.saved { [self] in
            // Meanwhile the user may have signed out, or the message may have been recalled.
            guard store.contents.policy.mayReachApp(waiting: key, moment) else { return }
            if let reaction = item.reaction {
                await onResponse?(Carillon.Response(item, reaction))
            } else {
                await onMessage?(Carillon.Message(item))
            }
        }
        store.update { $0.policy.handOvers.remove(key) }
        store.save()
        for waiter in underWay.removeValue(forKey: key) ?? [] { waiter.resume() }
    }

    /// Calls the app's handlers with several waiting messages and responses, one after another.
    ///
    /// A handler that does not return delays the next call by at most 25 seconds.
    func handOver(_ keys: [HandOvers.Key]) async {
        for key in keys {
            await TimeLimit.run(clock, within: AppLimits.completionHandlerTime) { [self] in await handOver(key) }
        }
    }

    private var moment: MessageMoment {
        MessageMoment(now: clock.now, signedOut: store.contents.registration.isSignOutPending)
    }

    private func mayBeHandedOver(_ item: HandOvers.Item) -> Bool {
        guard item.reaction != nil else { return onMessage != nil }
        return onResponse != nil && (isReady || !item.opensApp)
    }

    private func handOverWaiting() {
        guard isStarted else { return }
        let waiting = store.update { [moment] in $0.policy.waiting(moment) }
        let keys = waiting.filter { key in
            underWay[key] == nil && store.contents.policy.handOvers[key].map(mayBeHandedOver) == true
        }
        guard !keys.isEmpty else { return }
        tasks.start { [self] in await handOver(keys) }
    }

    func tell(_ removed: [Carillon.Removal]) {
        removals = (removals + removed).suffix(AppLimits.unheard)
        tellRemovals()
    }

    private func tellRemovals() {
        guard let onRemoval, !removals.isEmpty else { return }
        let waiting = removals
        removals = []
        onRemoval(waiting)
    }

    /// Calls ``onRefresh`` if the push has `content-available`, and records the handler's result in `progress`.
    func refresh(_ payload: [String: JSONValue], _ progress: CallbackProgress) async {
        guard payload["aps"]?["content-available"]?.intValue == 1, let onRefresh else { return }
        switch await onRefresh(payload) {
        case .newData: progress.hasNewData = true
        case .noData: break
        case .failed: progress.hasFailed = true
        @unknown default: break
        }
    }

    /// Drops the removals that the app's handler ``onRemoval`` has not received; called when the user signs out.
    func forgetRemovals() { removals = [] }

    // MARK: Responses

    /// Records which notification actions do not mark their message as read, and which do not open the app.
    func declare(_ categories: Set<UNNotificationCategory>, leavingUnread: Set<String>) {
        readingRule = ReadingRule(leavingUnread: leavingUnread)
        backgroundActions = BackgroundActions(categories)
    }

    /// Returns whether the person's action counts as reading the message.
    func isReading(_ action: Carillon.Response.Action) -> Bool {
        readingRule.isReading(action)
    }

    /// Remembers a response; returns whether iOS reports it for the first time.
    func remember(_ key: KnownResponses.Key) -> Bool { responses.remember(key) }

    /// Stores a response that waits for ``onResponse`` and, if it opens the app, for ``appIsReady()``.
    ///
    /// - Parameters:
    ///   - response: the person's response.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: the key under which the response waits until the app receives it.
    func received(_ response: Carillon.Response, category: String) -> HandOvers.Key {
        let opensApp = backgroundActions.opensApp(response.action, category: category)
        let item = HandOvers.Item(
            identifier: response.message.identifier, messageID: response.message.messageID,
            userInfo: response.message.userInfo, reaction: response.action.kind, opensApp: opensApp)
        let key = store.update { [now = clock.now] in $0.policy.handOvers.add(item, at: now) }
        if opensApp, !isReady { expectReadiness() }
        return key
    }

    func appIsReady() {
        isReady = true
        readiness?.cancel()
        handOverWaiting()
    }

    /// Starts the timer that reports ``CarillonEvent/appIsNotReady(waiting:)`` if the app does not call ``appIsReady()`` in
    /// time.
    private func expectReadiness() {
        guard readiness == nil else { return }
        readiness = clock.schedule(after: AppLimits.readinessTime) { [weak self] in
            onMainThread {
                guard let self, !self.isReady else { return }
                self.readiness = nil
                let handOvers = self.store.contents.policy.handOvers
                let waitingCount = handOvers.keys.count { handOvers[$0]?.opensApp == true }
                if waitingCount > 0 { self.report(.appIsNotReady(waiting: waitingCount)) }
            }
        }
    }
}

/// The responses that iOS has already reported.
///
/// iOS may report a response twice: to the notification center's delegate and in a scene's connection options.
package struct KnownResponses: Sendable, Hashable {
    /// The identity of a response: the notification's identifier, its date, and the person's action.
    package struct Key: Sendable, Hashable {
        /// The notification's `request.identifier`.
        let identifier: String
        /// The notification's date, in milliseconds since 1970.
        let shownAtMilliseconds: Int64
        let action: Carillon.Response.Action

        package init(identifier: String, shownAtMilliseconds: Int64, action: Carillon.Response.Action) {
            self.identifier = identifier
            self.shownAtMilliseconds = shownAtMilliseconds
            self.action = action
        }
    }

    private var keys: [Key] = []

    package init() {}

    /// Remembers a response; returns whether iOS reports it for the first time.
    package mutating func remember(_ key: Key) -> Bool {
        guard !keys.contains(key) else { return false }
        keys.append(key)
        if keys.count > AppLimits.rememberedResponses { keys.removeFirst() }
        return true
    }
}

/// The rule by which the person's action on a notification counts as reading the message.
///
/// Every action counts, except clearing the notification and the actions that the app has excluded.
package struct ReadingRule: Sendable, Hashable {
    private let leavingUnread: Set<String>

    /// Makes the rule that decides which of the person's actions mark a message as read.
    ///
    /// - Parameter leavingUnread: the identifiers of actions that do not mark the message as read; the default is none.
    package init(leavingUnread: Set<String> = []) { self.leavingUnread = leavingUnread }

    /// Returns whether an action marks the message as read, on this phone and on the user's other devices.
    ///
    /// - Parameter action: the person's action.
    /// - Returns: `false` for clearing the notification, and for the actions that the app has named in the argument
    ///   `leavingUnread` of ``Carillon/setNotificationCategories(_:leavingUnread:)``; otherwise `true`.
    package func isReading(_ action: Carillon.Response.Action) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _): !leavingUnread.contains(name)
        }
    }
}

/// The notification actions that do not open the app, according to the app's declared categories.
package struct BackgroundActions: Sendable, Hashable {
    private struct Name: Sendable, Hashable {
        var category: String
        var action: String
    }

    private let names: Set<Name>

    /// Collects the actions without the option `.foreground` from the app's categories.
    ///
    /// - Parameter categories: the categories that the app declared last.
    package init(_ categories: Set<UNNotificationCategory>) {
        names = Set(
            categories.flatMap { category in
                category.actions.filter { !$0.options.contains(.foreground) }.map {
                    Name(category: category.identifier, action: $0.identifier)
                }
            })
    }

    /// Returns whether the person's action brings the app to the foreground.
    ///
    /// - Parameters:
    ///   - action: the person's action.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: whether the app comes to the foreground; `true` also for an action of a category that the app has not
    ///   declared.
    package func opensApp(_ action: Carillon.Response.Action, category: String) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _): !names.contains(Name(category: category, action: name))
        }
    }
}
