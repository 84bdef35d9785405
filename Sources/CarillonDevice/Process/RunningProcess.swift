import CarillonCore
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// An app, or a service extension, while it runs: what `current()` means inside it.
///
/// Calls of the app come from any thread; each is put in line and carried out on the main queue a moment later, as by
/// the system's own processes on iOS.
class RunningProcess: SimulatedProcess, NotificationCenterBackend, @unchecked Sendable {
    // `@unchecked`: what is not a `let` of a Sendable type is confined to the main actor or behind a lock.
    let gate = ProcessGate()
    let bundle: AppBundle
    let containers: Containers
    let locale: Locale
    weak let phone: Phone?
    private let clock: any CarillonClock
    private let network: NetworkState
    private let unlocked: LockedValue<Bool>
    private let vendor: UUID
    private let removalsWait: Bool
    private let calls = Mutex<[SystemCall]>([])
    private let center = Mutex<UNUserNotificationCenter?>(nil)
    private let session = Mutex<URLSession?>(nil)
    private let timers: AppTimers

    /// Callbacks that have not run yet.
    @MainActor var turnsWaiting = 0
    /// Whether the app was told that it has a timer which never fires: once is enough.
    @MainActor var isToldOfLostTimer = false
    @MainActor private var endActions: [@MainActor () -> Void] = []

    @MainActor init(bundle: AppBundle, containers: Containers, phone: Phone) {
        self.bundle = bundle
        self.containers = containers
        self.phone = phone
        locale = phone.locale
        clock = phone.clock
        network = phone.network
        unlocked = phone.unlocked
        vendor = phone.vendorIdentifier
        timers = AppTimers(clock: clock)
        removalsWait = phone.rules.removalsNeedTheAppRunning && phone.rules.keeps(.removalIsAsynchronous)
        SimulatedDevices.began(self)
    }

    // MARK: SimulatedDevice

    var now: Date { clock.now.date }
    var uptime: Duration { clock.uptime }
    var vendorIdentifier: UUID? { unlocked.value ? vendor : nil }
    var isOnline: Bool { network.isOnline }

    func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let cancelled = LockedValue(false)
        let timer = clock.schedule(after: .milliseconds(Int64((delay * 1000).rounded()))) { [weak self] in
            guard let self, let phone else { return }
            phone.mailbox.post { _ in
                ProcessScheduler.shared.run(as: self) { if !cancelled.value { action() } }
            }
        }
        return {
            cancelled.value = true
            timer.cancel()
        }
    }

    func hasLostTimer() {
        phone?.mailbox.post { [weak self] phone in if let self { phone.noteLostTimer(of: self) } }
    }

    func containerDirectory(appGroup: String?) -> URL { containers.directory(appGroup: appGroup) }

    // MARK: SimulatedProcess

    var notificationCenter: UNUserNotificationCenter {
        center.withLock { center in
            if let center { return center }
            let new = UNUserNotificationCenter(backend: self)
            if gate.phase != .ended { center = new }
            return new
        }
    }

    var sharedSession: URLSession {
        session.withLock { session in
            if let session { return session }
            let new = URLSession(phoneOf: self, .default, delegate: nil, queue: nil)
            if gate.phase != .ended { session = new }
            return new
        }
    }

    func add(_ timer: Timer, dueAfter seconds: TimeInterval) { timers.add(timer, dueAfter: seconds, of: self) }

    var appGroups: Set<String> { containers.appGroups }
    var bundleIdentifier: String { bundle.bundleID }
    var apsEnvironment: String { bundle.environment == .sandbox ? "development" : "production" }

    func localized(key: String, arguments: [String]) -> String? {
        Localization(strings: bundle.strings).text(for: key, arguments: arguments)
    }

    func donate(_ donation: InteractionDonation, completion: @escaping @Sendable () -> Void) {
        post(
            SystemCall(needsProcess: false) { phone, process in
                phone.record(donation, from: process.bundle.bundleID)
                process.reply(completion)
            })
    }

    func deleteDonations(
        identifiers: [String]?, groupIdentifier: String?, completion: @escaping @Sendable () -> Void
    ) {
        post(
            SystemCall(needsProcess: false) { phone, process in
                phone.forgetDonations(of: process.bundle.bundleID, identifiers, groupIdentifier)
                process.reply(completion)
            })
    }

    // MARK: the line of calls

    /// Ends the process: nothing of it runs or is answered any more.
    @MainActor func end() {
        gate.end()
        calls.withLock { $0 = [] }
        center.withLock { $0 = nil }
        session.withLock { session in
            session?.invalidateAndCancel()
            session = nil
        }
        timers.end()
        SimulatedDevices.ended(self)
        ProcessScheduler.shared.reconsider()
        for action in endActions { action() }
        endActions = []
    }

    /// Calls `action` when the process ends, at once if it has.
    @MainActor func onEnd(_ action: @escaping @MainActor () -> Void) {
        if gate.phase == .ended { action() } else { endActions.append(action) }
    }

    var hasCallsInLine: Bool { calls.withLock { !$0.isEmpty } }

    private func post(_ call: SystemCall) {
        guard gate.phase != .ended else { return }
        calls.withLock { $0.append(call) }
        phone?.mailbox.post { [weak self] phone in self?.carryOut(on: phone) }
    }

    /// Carries out what is in line; while the process is suspended, only what needs nothing of it any more.
    @MainActor func carryOut(on phone: Phone) {
        while let call = takeNext() { call.run(phone, self) }
    }

    private func takeNext() -> SystemCall? {
        let phase = gate.phase
        return calls.withLock { calls in
            guard phase != .ended else {
                calls = []
                return nil
            }
            let index = calls.firstIndex { phase == .running || !$0.needsProcess }
            return index.map { calls.remove(at: $0) }
        }
    }

    /// Calls the app back, in a turn of its own.
    @MainActor func reply(_ body: @escaping @Sendable () -> Void) { ProcessScheduler.shared.run(as: self) { body() } }

    // MARK: NotificationCenterBackend

    func requestAuthorization(
        options: UNAuthorizationOptions, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        post(
            SystemCall(needsProcess: true) { phone, process in
                phone.requestAuthorization(options, from: process) { granted in
                    process.reply { completion(granted, nil) }
                }
            })
    }

    func settings(completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
        post(
            SystemCall(needsProcess: true) { phone, process in
                let settings = UNNotificationSettings(values: phone.settingValues(of: process.bundle.bundleID))
                process.reply { completion(settings) }
            })
    }

    func setCategories(_ categories: Set<UNNotificationCategory>) {
        post(
            SystemCall(needsProcess: false) { phone, process in
                guard let app = phone.app(process.bundle.bundleID) else { return }
                app.categories =
                    phone.rules.keeps(.categoriesReplaceAll) ? categories : app.categories.union(categories)
            })
    }

    func categories(completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
        post(
            SystemCall(needsProcess: true) { phone, process in
                let categories = phone.app(process.bundle.bundleID)?.categories ?? []
                process.reply { completion(categories) }
            })
    }

    func add(_ request: UNNotificationRequest, completion: @escaping @Sendable ((any Error)?) -> Void) {
        post(
            SystemCall(needsProcess: false) { phone, process in
                let failure = phone.add(request, to: process.bundle.bundleID)
                process.reply { completion(failure) }
            })
    }

    func pendingRequests(completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
        post(
            SystemCall(needsProcess: true) { phone, process in
                let requests = phone.app(process.bundle.bundleID)?.list.pending.map(\.request) ?? []
                process.reply { completion(requests) }
            })
    }

    func removePending(identifiers: [String]?) {
        post(
            SystemCall(needsProcess: false) { phone, process in
                phone.removePending(identifiers, of: process.bundle.bundleID)
            })
    }

    func deliveredNotifications(completion: @escaping @Sendable ([UNNotification]) -> Void) {
        post(
            SystemCall(needsProcess: true) { phone, process in
                let shown = phone.deliveredNotifications(of: process.bundle.bundleID)
                process.reply { completion(shown) }
            })
    }

    func removeDelivered(identifiers: [String]?) {
        post(
            SystemCall(needsProcess: removalsWait) { phone, process in
                phone.removeDelivered(identifiers, of: process.bundle.bundleID)
            })
    }

    func setBadgeCount(_ count: Int, completion: @escaping @Sendable ((any Error)?) -> Void) {
        post(
            SystemCall(needsProcess: false) { phone, process in
                let failure = phone.setBadge(count, of: process.bundle.bundleID)
                process.reply { completion(failure) }
            })
    }
}
