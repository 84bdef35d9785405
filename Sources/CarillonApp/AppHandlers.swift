import CarillonCore
import CarillonMessaging
import UIKit
import UserNotifications

/// The app's closures, and what waits for them: each thing is handed over once, in the order in which it came, when the app is
/// ready.
///
/// What waits is in the store (``HandOvers``) until its handler has returned.
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
    /// The items whose handlers have been called and have not returned, with whoever waits for that.
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

    /// Hands over what waits since before this launch; what was recalled meanwhile is known by now.
    func start() {
        isStarted = true
        for key in store.contents.policy.handOvers.keys where underWay[key] == nil {
            guard let item = store.contents.policy.handOvers[key], item.isGivenUp else { continue }
            store.update { $0.policy.handOvers.remove(key) }
            report(.handlerNeverReturned(identifier: item.identifier))
        }
        handOverWaiting()
    }

    /// Hands over one thing that waits, and returns when its handler has returned; at once if it has to wait on.
    func handOver(_ key: HandOvers.Key) async {
        guard underWay[key] == nil else {
            return await withUnsafeContinuation { waiter in
                if underWay[key] == nil { waiter.resume() } else { underWay[key]?.append(waiter) }
            }
        }
        guard let item = store.contents.policy.handOvers[key], mayBeHandedOver(item) else { return store.save() }
        underWay[key] = []
        store.update { $0.policy.handOvers.willCall(key) }
        // Should the app end in its handler, the next launch knows that it was called.
        store.save()
        if let reaction = item.reaction {
            await onResponse?(Carillon.Response(item, reaction))
        } else {
            await onMessage?(Carillon.Message(item))
        }
        store.update { $0.policy.handOvers.remove(key) }
        store.save()
        for waiter in underWay.removeValue(forKey: key) ?? [] { waiter.resume() }
    }

    /// Hands over several things, one after another; a handler that does not return holds up the next for a limited time.
    func handOver(_ keys: [HandOvers.Key]) async {
        for key in keys {
            await AppCode.run(clock, within: AppLimits.completionHandlerTime) { [self] in await handOver(key) }
        }
    }

    private func mayBeHandedOver(_ item: HandOvers.Item) -> Bool {
        guard item.reaction != nil else { return onMessage != nil }
        return onResponse != nil && (isReady || !item.opensApp)
    }

    private func handOverWaiting() {
        guard isStarted else { return }
        let waiting = store.update { [now = clock.now] in HandOvers.waiting(in: &$0.policy, at: now) }
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

    /// Lets the app fetch new content, if the push asks for it.
    func refresh(_ payload: [String: JSONValue], _ progress: CallbackProgress) async {
        guard payload["aps"]?["content-available"]?.intValue == 1, let onRefresh else { return }
        switch await onRefresh(payload) {
        case .newData: progress.hasNewData = true
        case .noData: break
        case .failed: progress.hasFailed = true
        @unknown default: break
        }
    }

    /// The person has signed out: what waits was meant for them.
    func forgetRemovals() { removals = [] }

    // MARK: Responses

    /// The app has declared its buttons: what each means for the message, and which of them leave the app in the background.
    func declare(_ categories: Set<UNNotificationCategory>, leavingUnread: Set<String>) {
        readingRule = ReadingRule(leavingUnread: leavingUnread)
        backgroundActions = BackgroundActions(categories)
    }

    /// Whether what the person did with a notification means that they have read the message.
    func isReading(_ action: Carillon.Response.Action) -> Bool {
        readingRule.isReading(action)
    }

    /// Whether this response has come for the first time.
    func isNew(_ key: KnownResponses.Key) -> Bool { responses.isNew(key) }

    /// A response has come: it waits for its handler, and, if it opens the app, for ``appIsReady()``.
    ///
    /// - Parameters:
    ///   - response: what the person did.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: the key by which it is handed over.
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

    /// A response waits for the app's screens: they should come soon.
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

/// Recognises a response that iOS hands over twice: through the notification center's delegate, and through a scene's
/// connection options.
package struct KnownResponses: Sendable, Hashable {
    /// Identifies a response: the notification, its date, and what the person did.
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

    /// Whether a response has come for the first time; it is known from now on.
    package mutating func isNew(_ key: Key) -> Bool {
        guard !keys.contains(key) else { return false }
        keys.append(key)
        if keys.count > AppLimits.rememberedResponses { keys.removeFirst() }
        return true
    }
}

/// Decides whether what the person did with a notification means that they have read the message.
///
/// Everything does except clearing it, unless the app has said otherwise of an action.
package struct ReadingRule: Sendable, Hashable {
    private let leavingUnread: Set<String>

    /// - Parameter leavingUnread: the identifiers of actions after which the message counts as unread; the default is none.
    package init(leavingUnread: Set<String> = []) { self.leavingUnread = leavingUnread }

    /// Whether the message is read now, on this phone and so on every other.
    ///
    /// - Parameter action: what the person did.
    /// - Returns: `false` for clearing it, and for an action that leaves it unread.
    package func isReading(_ action: Carillon.Response.Action) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _): !leavingUnread.contains(name)
        }
    }
}

/// The actions that leave the app in the background, as it has declared them.
package struct BackgroundActions: Sendable, Hashable {
    private struct Name: Sendable, Hashable {
        var category: String
        var action: String
    }

    private let names: Set<Name>

    /// - Parameter categories: those that the app has declared last.
    package init(_ categories: Set<UNNotificationCategory>) {
        names = Set(
            categories.flatMap { category in
                category.actions.filter { !$0.options.contains(.foreground) }.map {
                    Name(category: category.identifier, action: $0.identifier)
                }
            })
    }

    /// Whether what the person did brings the app to the foreground.
    ///
    /// - Parameters:
    ///   - action: what the person did.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: `true` for an action of a category that was not declared, because nothing is known of it.
    package func opensApp(_ action: Carillon.Response.Action, category: String) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _): !names.contains(Name(category: category, action: name))
        }
    }
}
