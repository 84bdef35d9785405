import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// The object that shows and removes the notifications of messages on this phone, one change after another.
///
/// ``MessagePolicy`` decides on the changes.
@MainActor
final class MessageCenter {
    private let store: CarillonStore
    private let clock: any CarillonClock
    private let carriesOutRecalls: Bool
    private let report: @Sendable (CarillonEvent) -> Void
    private let notifications: NotificationCenterClient
    private let application: UIApplication
    private let handlers: AppHandlers
    /// The queue for changes of the notification list: a removal never overtakes an addition that has begun.
    private let queue = SerialQueue()
    /// The timer that fires when the next message in Notification Center expires; `nil` if no message there expires.
    private var expiryAlarm: ScheduledAction?
    /// A closure that returns whether a payload belongs to Carillon; other payloads belong to another SDK or to the app itself.
    var scope: Carillon.DelegateChain.Link.Scope = { _ in true }
    /// The identifiers of notifications that the SDK is adding to Notification Center again, without a banner or a sound.
    private var puttingBack: Set<String> = []
    /// Called when a message in Notification Center expires while the app is running.
    var onExpiry: @MainActor () -> Void = {}

    init(
        _ configuration: Carillon.Configuration, store: CarillonStore, clock: any CarillonClock,
        notifications: NotificationCenterClient, application: UIApplication, handlers: AppHandlers
    ) {
        self.store = store
        self.clock = clock
        carriesOutRecalls = configuration.carriesOutRecalls
        report = configuration.report
        self.notifications = notifications
        self.application = application
        self.handlers = handlers
    }

    // MARK: Plans

    /// Makes a ``MessagePlan`` and carries it out, after all plans that were requested before.
    ///
    /// - Parameters:
    ///   - progress: collects the plan's results, for the completion handler of an iOS callback. With `nil`, the default, the
    ///     results are discarded.
    ///   - decision: calls a method of the given ``MessagePolicy``, and returns the plan that this method makes.
    func run(
        _ progress: CallbackProgress? = nil,
        _ decision: @escaping @MainActor (inout MessagePolicy, MessageMoment) -> MessagePlan
    ) async {
        await queue.run { [self] in await carryOut(progress, decision) }
    }

    /// Makes a ``MessagePlan`` and carries it out, as ``run(_:_:)`` does, and then runs `next`.
    ///
    /// The closures `next` of several calls begin in the order of the plans. Later plans do not wait until a closure ends.
    func run(
        _ progress: CallbackProgress,
        _ decision: @escaping @MainActor (inout MessagePolicy, MessageMoment) -> MessagePlan,
        then next: @escaping @MainActor () async -> Void
    ) async {
        let task = await queue.run { [self] in
            // The service extension may have shown or recalled the message while this plan waited.
            await store.takeOver()
            await carryOut(progress, decision)
            return Task { await next() }
        }
        await task.value
    }

    /// Carries out the removals in the service's answer, and then sets the badge to the user's number of unread messages.
    func apply(_ answer: SyncAnswer) async { await run { $0.answered(answer, $1) } }

    /// Removes the user's notifications and the badge, because the user signs out.
    ///
    /// Notifications of the app itself and of other SDKs stay.
    func removeAll() async {
        await queue.run { [self] in
            await carryOut { _, _ in .removingMessages }
            await setBadge(0, composedAt: nil)
        }
    }

    private func carryOut(
        _ progress: CallbackProgress? = nil, _ decision: (inout MessagePolicy, MessageMoment) -> MessagePlan
    ) async {
        let progress = progress ?? CallbackProgress()
        var removed: Set<String> = []
        await PlanRunner(host: self, center: notifications).run(decide(decision)) { notice in
            removed.formUnion(notice.removedIdentifiers)
            hear(notice, progress)
        }
        let others = store.takeRemovalsByExtension(except: removed)
        if !others.isEmpty { hear(.removals(others), progress) }
    }

    private func hear(_ notice: MessageNotice, _ progress: CallbackProgress) {
        switch notice {
        case .newData: progress.hasNewData = true
        case .failed: progress.hasFailed = true
        case .report(let event): report(event)
        case .handOver: progress.isForApp = true
        case .handOverAll(let keys): progress.unreported = keys
        case .removals(let removals):
            store.updateInbox { $0.withdraw(removals) }
            handlers.tell(removals.map(Carillon.Removal.init))
        case .nextExpiry(let moment): watchExpiry(moment)
        case .treat: break
        }
    }

    /// Schedules the call of ``onExpiry`` for the time at which the next message in Notification Center expires.
    ///
    /// The call is made only if the app is still running at that time.
    ///
    /// - Parameter next: the time at which the next message expires; `nil` cancels a scheduled call.
    private func watchExpiry(_ next: Timestamp?) {
        expiryAlarm?.cancel()
        expiryAlarm = next.map { moment in
            clock.schedule(at: moment) { [weak self] in
                onMainThread { self?.onExpiry() }
            }
        }
    }

    // MARK: The app's own code

    /// Passes the alert push in the launch options to the app's handlers.
    ///
    /// Ignores a push that belongs to another SDK (``scope``), and a push whose message may no longer be seen. Ignores a silent
    /// push too, because iOS next passes it to `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    func passToApp(launch payload: [String: JSONValue]) async {
        let interpreter = PushInterpreter()
        guard interpreter.isAlert(payload), scope(payload) else { return }
        let instructions = interpreter.instructions(for: payload)
        if let message = instructions.message {
            guard decide({ $0.mayReachApp(launchedFor: message, $1) }) else { return }
        }
        await passToApp(push: payload, instructions, CallbackProgress())
    }

    /// Passes the message of a push to ``AppHandlers/onMessage``, unless the app has received the message before.
    ///
    /// A push without a message goes to ``AppHandlers/onRefresh``.
    ///
    /// - Parameters:
    ///   - payload: the push's payload, as the app delegate received it.
    ///   - instructions: the instructions in the payload.
    ///   - progress: collects the results for the app delegate's callback.
    func passToApp(
        push payload: [String: JSONValue], _ instructions: PushInstructions, _ progress: CallbackProgress
    ) async {
        guard let message = Carillon.Message(payload, instructions) else {
            await handlers.refresh(payload, progress)
            return
        }
        let key: HandOvers.Key? = decide { policy, moment in
            guard policy.markReachedApp(instructions.message, payload: payload, moment) else { return nil }
            return policy.handOvers.add(HandOvers.Item(message), at: moment.now)
        }
        guard let key else { return }
        progress.hasNewData = true
        await handlers.handOver(key)
    }

    /// Stores the message of a delivered notification, so that it waits for ``AppHandlers/onMessage``.
    ///
    /// - Parameters:
    ///   - identifier: the notification's `request.identifier`.
    ///   - payload: the notification's `userInfo`.
    ///   - instructions: the instructions in the payload.
    /// - Returns: the key of the waiting message; `nil` if the app has already received the message.
    func take(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) -> HandOvers.Key? {
        decide { policy, moment in
            let revision = instructions.message?.revision
            guard policy.markReachedApp(shown: identifier, revision: revision, payload: payload) else { return nil }
            let item = HandOvers.Item(
                identifier: identifier, messageID: instructions.message?.messageID, userInfo: payload)
            return policy.handOvers.add(item, at: moment.now)
        }
    }
}

extension MessageCenter: PlanHost {
    @discardableResult
    func decide<Value: Sendable>(_ decision: (inout MessagePolicy, MessageMoment) -> Value) -> Value {
        store.update { [now = clock.now, carriesOutRecalls] contents in
            let moment = MessageMoment(
                now: now, carriesOutRecalls: carriesOutRecalls, signedOut: contents.registration.isSignOutPending)
            return decision(&contents.policy, moment)
        }
    }

    func save() async { await store.saved() }

    func takeOverFromExtension() async { await store.takeOver() }

    /// Shows the number of unread messages on the badge, unless a newer number was shown before.
    ///
    /// The number comes from pushes and from the service's answers.
    ///
    /// - Parameters:
    ///   - count: 0 removes the badge.
    ///   - moment: the service's time when it composed the number; `nil` for a number that the SDK itself sets.
    func setBadge(_ count: Int, composedAt moment: Timestamp?) async {
        guard store.contents.policy.badge.accepts(composedAt: moment) else { return }
        do {
            let shown = application.applicationIconBadgeNumber
            try await notifications.setBadge(max(0, count), over: shown) { identifiers in
                // In the background, iOS does not call `willPresent` for these notifications.
                puttingBack = application.applicationState == .background ? [] : identifiers
            }
            // Recorded only after iOS has accepted the number.
            store.update { $0.policy.badge.shown(composedAt: moment) }
        } catch {
            report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }

    func handles(_ payload: [String: JSONValue]) -> Bool { scope(payload) }

    /// Returns whether the SDK itself is adding this notification to Notification Center again, after a badge change.
    ///
    /// Also forgets the identifier, because iOS asks only once how to present the notification. If iOS does not ask, because the
    /// person leaves the app meanwhile, the next notification with this identifier is recognised as another one.
    func takePutBack(_ request: UNNotificationRequest) -> Bool {
        puttingBack.remove(request.identifier) != nil && NotificationCenterClient.canBePutBack(request)
    }
}

/// The results so far of the work for one callback of iOS, from which the SDK answers the callback.
@MainActor
final class CallbackProgress {
    var hasNewData = false
    var hasFailed = false
    /// Whether the push must reach the app's own handlers.
    var isForApp = false
    /// The keys of the messages found in Notification Center that the app's handlers have not received, oldest first.
    var unreported: [HandOvers.Key] = []

    var result: UIBackgroundFetchResult { hasNewData ? .newData : hasFailed ? .failed : .noData }
}

extension Carillon.Message {
    /// Makes the message that the app's handler receives; returns `nil` for a push without text.
    fileprivate init?(_ payload: [String: JSONValue], _ instructions: PushInstructions) {
        guard let message = instructions.message else {
            guard PushInterpreter().isAlert(payload) else { return nil }
            self.init(
                identifier: "push-" + UnidentifiedMessages.digest(payload), messageID: nil, userInfo: payload)
            return
        }
        var userInfo = payload
        switch message.presentation {
        case .local(let notification): userInfo = notification.userInfo
        case .nothing: return nil
        case .bySystem, .inApp: break
        }
        self.init(identifier: message.identifier, messageID: message.messageID, userInfo: userInfo)
    }
}
