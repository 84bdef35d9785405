import CarillonCore
import CarillonMessaging
import UIKit
import UserNotifications

/// The app's closures, and what waits for them: each thing is told once, in the order in which it came, when the app is ready.
@MainActor
final class AppHandlers {
    var onMessage: (@MainActor (Carillon.Message) async -> Void)? { didSet { tellUnheard() } }
    var onResponse: (@MainActor (Carillon.Response) async -> Void)? { didSet { tellUnheard() } }
    var onRefresh: (@MainActor (_ userInfo: [String: JSONValue]) async -> UIBackgroundFetchResult)?
    var onRemoval: (@MainActor (_ removed: [Carillon.Removal]) -> Void)? { didSet { tellUnheard() } }

    private let clock: any CarillonClock
    private let tasks: OwnedTasks
    private let report: @Sendable (CarillonEvent) -> Void
    private var unheard = Unheard()
    private var router = ResponseRouter()
    private var readingRule = ReadingRule()
    private var backgroundActions = BackgroundActions([])
    private var readiness: ScheduledAction?

    init(clock: any CarillonClock, tasks: OwnedTasks, report: @escaping @Sendable (CarillonEvent) -> Void) {
        self.clock = clock
        self.tasks = tasks
        self.report = report
    }

    // MARK: Telling the app

    func tell(_ message: Carillon.Message) async {
        guard let onMessage else { return unheard.add(message) }
        await onMessage(message)
    }

    func tell(_ response: Carillon.Response) async {
        guard let onResponse else { return unheard.add(response) }
        await onResponse(response)
    }

    func tell(_ removed: [Carillon.Removal]) {
        guard let onRemoval else { return unheard.add(removed) }
        onRemoval(removed)
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

    /// A handler was set: what waited for it is told, in the order in which it came.
    private func tellUnheard() {
        if let onRemoval {
            let removals = unheard.takeRemovals()
            if !removals.isEmpty { onRemoval(removals) }
        }
        let messages = onMessage == nil ? [] : unheard.takeMessages()
        let responses = onResponse == nil ? [] : unheard.takeResponses()
        guard !messages.isEmpty || !responses.isEmpty else { return }
        tasks.start { [self] in
            for message in messages { await tell(message) }
            for response in responses { await tell(response) }
        }
    }

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

    /// Whether this response came before.
    func knows(_ key: ResponseRouter.Key) -> Bool { router.knows(key) }

    /// A response has come, and its key is known from now on.
    ///
    /// - Parameters:
    ///   - response: what the person did.
    ///   - key: identifies it.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: the response, if the app is to be told now; `nil` if it waits for ``appIsReady()``.
    func received(_ response: Carillon.Response, key: ResponseRouter.Key, category: String) -> Carillon.Response? {
        let dueNow = router.received(
            response, key: key, opensApp: backgroundActions.opensApp(response.action, category: category))
        if dueNow == nil { expectReadiness() }
        return dueNow
    }

    func appIsReady() {
        readiness?.cancel()
        for response in router.becameReady() {
            tasks.start { [self] in await tell(response) }
        }
    }

    /// A response waits for the app's screens: they should come soon.
    private func expectReadiness() {
        guard router.waitingCount == 1 else { return }
        readiness = clock.schedule(after: AppLimits.readinessTime) { [weak self] in
            onMainThread {
                guard let self, self.router.waitingCount > 0 else { return }
                self.report(.appIsNotReady(waiting: self.router.waitingCount))
            }
        }
    }
}

/// Decides when the app receives a person's response to a notification: once, and not before it is ready.
///
/// After a cold start the app's screens do not exist yet, so what opens the app waits for them. A button that leaves the app in
/// the background does not: iOS may have launched the app for it without a scene, and then no screen comes. iOS may hand over
/// the same response twice, through the notification center's delegate and through a scene's connection options.
package struct ResponseRouter: Sendable, Hashable {
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

    private var isReady = false
    private var waiting: [Carillon.Response] = []
    private var delivered: [Key] = []

    package init() {}

    /// A response has come.
    ///
    /// - Parameters:
    ///   - response: what the person did.
    ///   - key: identifies it.
    ///   - opensApp: whether the response brings the app to the foreground.
    /// - Returns: the response, if the app is to receive it now; `nil` if it waits, or came before.
    package mutating func received(_ response: Carillon.Response, key: Key, opensApp: Bool) -> Carillon.Response? {
        guard !delivered.contains(key) else { return nil }
        delivered.append(key)
        if delivered.count > AppLimits.rememberedResponses { delivered.removeFirst() }
        if isReady || !opensApp { return response }
        waiting.append(response)
        if waiting.count > AppLimits.waitingResponses { waiting.removeFirst() }
        return nil
    }

    /// The number of responses that wait for the app to be ready.
    package var waitingCount: Int { waiting.count }

    /// Whether this response came before.
    func knows(_ key: Key) -> Bool { delivered.contains(key) }

    /// The app can show something now.
    ///
    /// - Returns: the responses that waited, oldest first.
    package mutating func becameReady() -> [Carillon.Response] {
        isReady = true
        defer { waiting = [] }
        return waiting
    }
}

/// Keeps what comes before its handler is set, so that the order in which handlers are set does not matter.
package struct Unheard: Sendable, Hashable {
    private var messages: [Carillon.Message] = []
    private var responses: [Carillon.Response] = []
    private var removals: [Carillon.Removal] = []

    package init() {}

    package mutating func add(_ message: Carillon.Message) { Self.add([message], to: &messages) }
    package mutating func add(_ response: Carillon.Response) { Self.add([response], to: &responses) }
    package mutating func add(_ removed: [Carillon.Removal]) { Self.add(removed, to: &removals) }

    /// Takes what waited, oldest first; afterwards nothing waits.
    package mutating func takeMessages() -> [Carillon.Message] { Self.take(&messages) }
    package mutating func takeResponses() -> [Carillon.Response] { Self.take(&responses) }
    package mutating func takeRemovals() -> [Carillon.Removal] { Self.take(&removals) }

    private static func add<Value>(_ values: [Value], to list: inout [Value]) {
        list = (list + values).suffix(AppLimits.unheard)
    }

    private static func take<Value>(_ list: inout [Value]) -> [Value] {
        defer { list = [] }
        return list
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
