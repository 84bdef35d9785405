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

    /// Removes everything of the user who signs out.
    func removeAll() async {
        await queue.run { [self] in
            await notifications.removeAll()
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
        case .handOverAll(let notifications): progress.unreported = notifications
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
        guard interpreter.isAlert(payload) else { return }
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
        guard decide({ $0.reachesApp(instructions.message, payload: payload, $1) }) else { return }
        store.save()
        progress.hasNewData = true
        await handlers.tell(message)
    }

    /// Passes on a notification that the notification center has reported, unless the app has received its message
    /// before.
    func passToApp(
        delivered identifier: String, payload: [String: JSONValue], _ instructions: PushInstructions
    ) async {
        guard decide({ policy, _ in policy.reachesApp(shown: identifier, payload: payload) }) else { return }
        store.save()
        await handlers.tell(
            Carillon.Message(identifier: identifier, messageID: instructions.message?.messageID, userInfo: payload))
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
            try await notifications.setBadge(max(0, count), on: application)
        } catch {
            report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }
}

/// The results of a callback of iOS so far.
@MainActor
final class CallbackProgress {
    var hasNewData = false
    var hasFailed = false
    /// Whether the app's own code is to receive what has come.
    var isForApp = false
    /// The notifications of the list that it is to receive, oldest first.
    var unreported: [DeliveredNotification] = []

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

/// The calls that only the app can make, because an extension has no `UIApplication`.
extension NotificationCenterClient {
    /// Sets the number on the app's icon.
    ///
    /// iOS empties the app's list when the number falls to 0: also of what nobody has read, of what is not ours, and of
    /// what arrives while the call is under way. So the number is not set to 0 but hidden with -1, which takes effect at
    /// once and leaves the list alone; `setBadgeCount` does not take it.
    ///
    /// - Parameters:
    ///   - count: 0 removes the number.
    ///   - application: `UIApplication.shared`.
    /// - Throws: what iOS reports.
    func setBadge(_ count: Int, on application: UIApplication) async throws {
        guard count > 0 else {
            if application.applicationIconBadgeNumber > 0 { application.applicationIconBadgeNumber = -1 }
            return
        }
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            center.setBadgeCount(count) { @Sendable error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}
