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
