import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// The messages on this phone: carries out what ``MessagePolicy`` decides, one plan after another.
@MainActor
final class MessageCenter {
    private let store: CarillonStore
    private let clock: any CarillonClock
    private let carriesOutRecalls: Bool
    private let report: @Sendable (CarillonEvent) -> Void
    private let notifications: NotificationCenterClient
    private let application: UIApplication
    private let handlers: AppHandlers
    /// Runs what changes the list of notifications: a removal never overtakes an addition that has begun.
    private let queue = SerialQueue()
    /// Rings when the next message of the list expires.
    private var expiryAlarm: ScheduledAction?
    /// Which payloads are Carillon's; the others are another SDK's of the app, or its own.
    var scope: Carillon.DelegateChain.Link.Scope = { _ in true }
    /// Notifications that this has put back into the list, which are shown there and nowhere else.
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

    /// Carries out what the policy decides, after all plans that were asked for before.
    ///
    /// - Parameters:
    ///   - progress: of the callback of iOS for which it is done; the default is one that nobody asks.
    ///   - decision: of the policy.
    func run(
        _ progress: CallbackProgress? = nil,
        _ decision: @escaping @MainActor (inout MessagePolicy, MessageMoment) -> MessagePlan
    ) async {
        await queue.run { [self] in await carryOut(progress, decision) }
    }

    /// Carries out what an answer of the service says: the removals, then the number of unread messages.
    ///
    /// - Parameters:
    ///   - removals: that this phone has not confirmed.
    ///   - unread: `nil` changes nothing.
    ///   - moment: the service's clock when it answered.
    func apply(_ removals: [PushRemoval], unread: Int?, at moment: Timestamp) async {
        await queue.run { [self] in
            await carryOut { $0.removalsCame(removals, $1) }
            if let unread { await setBadge(unread, composedAt: moment) }
        }
    }

    /// Removes everything of the user who signs out, and nothing that is the app's own or another SDK's.
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

    /// Removes the next message of the list when it expires, if the app is still running then.
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
    /// A silent push is left to the app delegate, which iOS calls next.
    func passToApp(launch payload: [String: JSONValue]) async {
        let interpreter = PushInterpreter()
        guard interpreter.isAlert(payload), scope(payload) else { return }
        let instructions = interpreter.instructions(for: payload)
        if let message = instructions.message {
            guard decide({ $0.mayReachApp(launchedFor: message, $1) }) else { return }
        }
        await passToApp(push: payload, instructions, CallbackProgress())
    }

    /// Passes on a push that the app delegate was given, unless the app has received its message before.
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

    /// Passes on a notification that the notification center has reported, unless the app has received its message
    /// before.
    func passToApp(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) async {
        if let key = take(delivered: identifier, payload: payload, instructions) { await handlers.handOver(key) }
    }

    /// Takes a notification that the notification center has reported: its message waits for the app from now on.
    ///
    /// - Returns: the key by which it is handed over; `nil` when the app has received it before.
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

    func save() { store.save() }

    func takeOverFromExtension() { store.takeOverFromExtension() }

    /// Shows the number that the service has counted, unless a newer one was shown before.
    ///
    /// The number is that of the user's unread messages. It comes with pushes, and with the service's answers.
    ///
    /// - Parameters:
    ///   - count: 0 removes the number.
    ///   - moment: when the service composed the number, by its clock; `nil` for one that the app itself sets.
    func setBadge(_ count: Int, composedAt moment: Timestamp?) async {
        guard store.update({ $0.policy.badge.accepts(composedAt: moment) }) else { return }
        do {
            let shown = application.applicationIconBadgeNumber
            try await notifications.setBadge(max(0, count), over: shown) { identifiers in
                // In the background iOS does not ask how to show them.
                puttingBack = application.applicationState == .background ? [] : identifiers
            }
        } catch {
            report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }

    func handles(_ payload: [String: JSONValue]) -> Bool { scope(payload) }

    /// Whether iOS asks about a notification that this has put back; it asks once.
    func isPuttingBack(_ identifier: String) -> Bool { puttingBack.remove(identifier) != nil }
}

/// The results of a callback of iOS so far.
@MainActor
final class CallbackProgress {
    var hasNewData = false
    var hasFailed = false
    /// Whether the app's own code is to receive what has come.
    var isForApp = false
    /// The notifications of the list that it is to receive, oldest first.
    var unreported: [HandOvers.Key] = []

    var result: UIBackgroundFetchResult { hasNewData ? .newData : hasFailed ? .failed : .noData }
}

extension Carillon.Message {
    /// The message in the form that the app receives; `nil` when the push has no text.
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
