import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// The messages on this phone: carries out the plans of ``MessagePolicy``, one after another.
@MainActor
final class MessageCenter {
    private let store: CarillonStore
    private let clock: any CarillonClock
    private let carriesOutRecalls: Bool
    private let report: @Sendable (CarillonEvent) -> Void
    private let notifications: NotificationCenterClient
    private let application: UIApplication
    private let handlers: AppHandlers
    /// Runs the changes of the notification list one after another: a removal never overtakes an addition that has begun.
    private let queue = SerialQueue()
    /// Fires when the next message of the list expires.
    private var expiryAlarm: ScheduledAction?
    /// Returns whether a payload is Carillon's; other payloads belong to another SDK or to the app itself.
    var scope: Carillon.DelegateChain.Link.Scope = { _ in true }
    /// Notifications that the SDK itself is putting back into the list; they are shown only there.
    private var puttingBack: Set<String> = []
    /// Called when a message of the list has expired, while the app is running.
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

    /// Carries out a plan of the policy, after all plans that were requested before.
    ///
    /// - Parameters:
    ///   - progress: collects the results for a callback of iOS; the default discards them.
    ///   - decision: makes the plan.
    func run(
        _ progress: CallbackProgress? = nil,
        _ decision: @escaping @MainActor (inout MessagePolicy, MessageMoment) -> MessagePlan
    ) async {
        await queue.run { [self] in await carryOut(progress, decision) }
    }

    /// Carries out the service's answer: the removals, then the number of unread messages.
    ///
    /// - Parameters:
    ///   - removals: the removals that this phone has not confirmed.
    ///   - unread: the new badge; `nil` changes nothing.
    ///   - moment: the service's time of the answer.
    func apply(_ removals: [PushRemoval], unread: Int?, at moment: Timestamp) async {
        await queue.run { [self] in
            await carryOut { $0.removalsCame(removals, $1) }
            if let unread { await setBadge(unread, composedAt: moment) }
        }
    }

    /// Removes all notifications of the user who signs out, but none of the app's own or of another SDK.
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
        await PlanRunner(host: self, center: notifications).run(decide(decision)) { hear($0, progress) }
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
        case .old(let recalled, let reasons, let expired):
            handlers.tell(
                zip(recalled, reasons).map { Carillon.Removal($0, $1) }
                    + expired.map { Carillon.Removal(identifier: $0, reason: .expired) })
        case .nextExpiry(let moment): watchExpiry(moment)
        case .treat, .isNotice: break
        }
    }

    /// Schedules the removal of the next message that expires, for as long as the app is running.
    private func watchExpiry(_ next: Timestamp?) {
        expiryAlarm?.cancel()
        expiryAlarm = next.map { moment in
            clock.schedule(at: moment) { [weak self] in
                onMainThread { self?.onExpiry() }
            }
        }
    }

    // MARK: The app's own code

    /// Passes on the alert that the app was launched for.
    ///
    /// A silent push is left to the app delegate's method, which iOS calls next.
    func passToApp(launch payload: [String: JSONValue]) async {
        let interpreter = PushInterpreter()
        guard interpreter.isAlert(payload), scope(payload) else { return }
        let instructions = interpreter.instructions(for: payload)
        if let message = instructions.message {
            guard decide({ $0.mayReachApp(launchedFor: message, $1) }) else { return }
        }
        await passToApp(push: payload, instructions, CallbackProgress())
    }

    /// Passes on a push that the app delegate received, unless the app has received its message before.
    func passToApp(
        push payload: [String: JSONValue], _ instructions: PushInstructions, _ progress: CallbackProgress
    ) async {
        guard let message = Carillon.Message(payload, instructions) else {
            await handlers.refresh(payload, progress)
            return
        }
        let key: HandOvers.Key? = decide { policy, moment in
            guard policy.reachesApp(instructions.message, payload: payload, moment) else { return nil }
            return policy.handOvers.add(HandOvers.Item(message), at: moment.now)
        }
        guard let key else { return }
        progress.hasNewData = true
        await handlers.handOver(key)
    }

    /// Passes on a notification that the notification center reported, unless the app has received its message before.
    func passToApp(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) async {
        if let key = take(delivered: identifier, payload: payload, instructions) { await handlers.handOver(key) }
    }

    /// Stores the message of a notification that the notification center reported, until the app has received it.
    ///
    /// - Returns: the key of the waiting message; `nil` if the app has received it before.
    func take(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) -> HandOvers.Key? {
        decide { policy, moment in
            guard policy.reachesApp(shown: identifier, payload: payload) else { return nil }
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

    /// Shows the service's number of unread messages on the badge, unless a newer number was shown before.
    ///
    /// The number comes with pushes and with the service's answers.
    ///
    /// - Parameters:
    ///   - count: 0 removes the badge.
    ///   - moment: the service's time when it composed the number; `nil` for a number that the SDK itself sets.
    func setBadge(_ count: Int, composedAt moment: Timestamp?) async {
        var trial = store.contents.policy.badge
        guard trial.accepts(composedAt: moment) else { return }
        do {
            let shown = application.applicationIconBadgeNumber
            try await notifications.setBadge(max(0, count), over: shown) { identifiers in
                // In the background iOS does not call `willPresent` for them.
                puttingBack = application.applicationState == .background ? [] : identifiers
            }
            // Not before iOS has taken the number.
            store.update { _ = $0.policy.badge.accepts(composedAt: moment) }
        } catch {
            report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }

    func handles(_ payload: [String: JSONValue]) -> Bool { scope(payload) }

    /// Returns whether the SDK is putting this notification back into the list, and forgets it: iOS asks once.
    func isPuttingBack(_ identifier: String) -> Bool { puttingBack.remove(identifier) != nil }
}

/// The results so far of a callback of iOS.
@MainActor
final class CallbackProgress {
    var hasNewData = false
    var hasFailed = false
    /// Whether the push is to be handed to the app's own handlers.
    var isForApp = false
    /// The waiting notifications of the list that the app is to receive, oldest first.
    var unreported: [HandOvers.Key] = []

    var result: UIBackgroundFetchResult { hasNewData ? .newData : hasFailed ? .failed : .noData }
}

extension Carillon.Message {
    /// Makes the message that the app receives; returns `nil` for a push without text.
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
