import CarillonCore
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A running app or service extension: the object behind `UNUserNotificationCenter.current()` in its code.
///
/// An app may call the system from any thread. Each call is queued and carried out on the main queue a moment later, because on
/// iOS, too, another process carries it out.
class RunningProcess: SimulatedScreenUser, NotificationCenterBackend, @unchecked Sendable {
    // `@unchecked`: every property that is not a `let` of a Sendable type is confined to the main actor or behind a lock.
    let gate = ProcessGate()
    let bundle: AppBundle
    let containers: Containers
    private let place: BundlePlace
    let locale: Locale
    let kernel: PhoneKernel
    weak let system: (any AppSystem)?
    private let network: NetworkState
    private let unlocked: LockedValue<Bool>
    private let protectedData: LockedValue<Bool>
    private let lowPower: LockedValue<Bool>
    private let vendor: UUID
    private let removalsWait: Bool
    private let categoriesWait: Bool
    private let onlyWarnedMistakes: Set<AppMistake>
    private let isEndedForMistake = Atomic<Bool>(false)
    private let random: Mutex<SeededGenerator>
    private let zone: LockedValue<TimeZone>
    private let calendarAtLaunch: TriggerCalendar
    private let calls = Mutex<[SystemCall]>([])
    private let center = Mutex<UNUserNotificationCenter?>(nil)
    private let session = Mutex<URLSession?>(nil)
    private let timers: AppTimers
    /// The process's tasks off the main actor.
    let jobs: AppJobs
    /// A counter of the process's unfinished work that takes real time instead of the phone's simulated time.
    ///
    /// It counts blocks on queues, sleeping tasks and network requests.
    let outside = OutsideWork()
    let preferences: AppPreferences

    /// The number of callbacks of this process that wait for their turn on the main queue or are running.
    @MainActor var turnsWaiting = 0
    /// Whether the phone has noted in the trace that one of the process's timers never fires; it notes this only once.
    @MainActor var isToldOfLostTimer = false
    let endActions = EndActions()

    /// Makes the process of an app or of its extension.
    ///
    /// - Parameters:
    ///   - app: the app whose code, or whose extension's code, the process runs.
    ///   - containers: the folders of the process.
    ///   - device: the phone on which the process runs.
    ///   - system: the parts of the phone that answer the calls of the process.
    @MainActor init(of app: InstalledApp, containers: Containers, on device: DeviceState, system: (any AppSystem)?) {
        bundle = app.bundle
        place = app.place
        self.containers = containers
        self.system = system
        preferences = AppPreferences(
            bundleID: app.bundle.bundleID, files: containers.preferences, home: containers.own,
            folderOfGroup: { containers.appGroups.contains($0) ? containers.directory(appGroup: $0) : nil })
        kernel = device.kernel
        locale = device.settings.locale
        network = device.network
        unlocked = device.unlocked
        protectedData = device.protectedData
        lowPower = device.lowPower
        vendor = device.vendorIdentifier
        random = Mutex(kernel.randomnessForProcess())
        zone = device.zone
        calendarAtLaunch = device.triggerCalendar
        timers = AppTimers(clock: kernel.clock)
        jobs = AppJobs(areInOrder: kernel.runsTasksInOrder) { [weak mailbox = kernel.mailbox] in mailbox?.lastJobEnded()
        }
        onlyWarnedMistakes = kernel.rules.onlyWarnedMistakes
        removalsWait =
            kernel.rules.removalsNeedTheAppRunning && kernel.rules.keeps(.removalIsAsynchronous)
        categoriesWait = kernel.rules.extensionCategoriesNeedTime
        SimulatedDevices.began(self)
    }

    // MARK: SimulatedDevice

    var now: Date { kernel.clock.now.date }
    var uptime: Duration { kernel.clock.uptime }
    var timeZone: TimeZone { zone.value }
    var triggerCalendar: TriggerCalendar { calendarAtLaunch.inZone(zone.value) }
    var vendorIdentifier: UUID? { unlocked.value ? vendor : nil }
    var isProtectedDataOpen: Bool { protectedData.value }
    var isOnline: Bool { network.isOnline }
    func randomNumber() -> UInt64 { random.withLock { $0.next() } }
    var taskExecutor: any TaskExecutor { jobs }
    func executorOfMainActorTask() -> any TaskExecutor { MainActorTaskExecutor(jobs) }

    func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let cancelled = LockedValue(false)
        let cause = PhoneCause.current
        let timer = kernel.clock.schedule(after: .waiting(delay)) { [weak self] in
            guard let self else { return }
            kernel.mailbox.post(because: cause) {
                ProcessScheduler.shared.run(as: self, "what it has scheduled") { if !cancelled.value { action() } }
            }
        }
        return {
            cancelled.value = true
            timer.cancel()
        }
    }

    func hasLostTimer() {
        kernel.mailbox.post { [weak self] in if let self { system?.life.noteLostTimer(of: self) } }
    }

    func beganWaiting() -> any Sendable { outside.began() }

    func made(_ session: URLSession) { outside.made(session) }

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

    var isLowPowerModeEnabled: Bool { lowPower.value }

    /// The phone's screen; an app has its own, which turns with the app.
    @MainActor var screen: UIScreen { UIScreen(system?.life.screen.shape ?? .withNotch) }

    func localized(key: String, arguments: [String]) -> String? {
        Localization(strings: place.strings(locale)).text(for: key, arguments: arguments)
    }

    var mainBundle: Bundle { place.bundle(locale) }

    // MARK: mistakes

    /// Whether the phone has ended the process because of a mistake in its code.
    ///
    /// On an iPhone, none of the app's code would run after this. Here the code that made the mistake continues, but without
    /// effect.
    var hasEndedForMistake: Bool { isEndedForMistake.load(ordering: .relaxed) }

    /// Ends the process because of a mistake in its code, as iOS does; for a mistake in ``PhoneRules/onlyWarnedMistakes``,
    /// only writes a warning.
    ///
    /// Any thread may call this method.
    ///
    /// When the process has ended, the code that made the mistake continues, but has no effect any more.
    ///
    /// - Parameters:
    ///   - mistake: the mistake.
    ///   - detail: the value that iOS does not accept.
    ///   - note: writes the mistake's text into a trace; with `nil`, the default, the phone adds a separate trace entry with
    ///     this text.
    func made(_ mistake: AppMistake, _ detail: String? = nil, note: (@MainActor @Sendable (String) -> Void)? = nil) {
        guard gate.phase != .ended else { return }
        let isEnd = !onlyWarnedMistakes.contains(mistake)
        if isEnd {
            isEndedForMistake.store(true, ordering: .relaxed)
            gate.end()
        }
        kernel.mailbox.post { [self] in
            system?.life.note(mistake, mistake.sentence(detail, isEnd: isEnd), of: self, in: note)
            if isEnd { system?.life.end(self) }
        }
    }

    func hasMade(mistake name: String, _ detail: String) {
        guard let mistake = AppMistake(rawValue: name) else { return made(.uncaughtException, "\(name): \(detail)") }
        made(mistake, detail)
    }

    // MARK: the queue of calls

    /// Ends the process: none of its code runs, and none of its calls is answered any more.
    @MainActor func end() {
        gate.end()
        calls.withLock { $0 = [] }
        center.withLock { $0 = nil }
        session.withLock { session in
            session?.invalidateAndCancel()
            session = nil
        }
        timers.end()
        preferences.end()
        SimulatedDevices.ended(self)
        ProcessScheduler.shared.reconsider()
        endActions.run()
    }

    /// Calls `action` when the process ends; immediately if it has ended.
    ///
    /// - Returns: the number of `action` in ``endActions``; `nil` if the process had already ended.
    @discardableResult
    @MainActor func onEnd(_ action: @escaping @MainActor () -> Void) -> Int? {
        if gate.phase != .ended { return endActions.add(action) }
        action()
        return nil
    }

    /// The names of the queued calls whose changes are lost if the suspended process ends now.
    var lostChanges: [String] { calls.withLock { $0.filter { $0.holdsUpOthers && $0.needsProcess }.map(\.name) } }

    var hasCallsInLine: Bool { calls.withLock { !$0.isEmpty } }

    func post(_ call: SystemCall) {
        guard gate.phase != .ended else { return }
        calls.withLock { $0.append(call) }
        kernel.mailbox.post { [weak self] in self?.carryOutCalls() }
    }

    /// Carries out the process's queued calls to the system.
    ///
    /// While the process is suspended, calls that need a running process stay in the queue. If such a call has
    /// ``SystemCall/holdsUpOthers``, all later calls stay, too.
    @MainActor func carryOutCalls() {
        guard let system else { return }
        while let call = takeNext() {
            let event = PhoneEvent.Kind.request(call.name, bundleID: bundle.bundleID)
            PhoneCause.$current.withValue(kernel.history.note(event, because: call.cause)) { call.run(system, self) }
        }
    }

    private func takeNext() -> SystemCall? {
        let phase = gate.phase
        return calls.withLock { calls in
            guard phase != .ended else {
                calls = []
                return nil
            }
            for (index, call) in calls.enumerated() {
                if phase == .running || !call.needsProcess { return calls.remove(at: index) }
                if call.holdsUpOthers { return nil }
            }
            return nil
        }
    }

    /// Adds `body`, which calls one of the app's completion handlers, to the ``ProcessScheduler`` as a callback.
    @MainActor func reply(_ body: @escaping @Sendable () -> Void) {
        ProcessScheduler.shared.run(as: self, "completion") { body() }
    }

    // MARK: NotificationCenterBackend

    func requestAuthorization(
        options: UNAuthorizationOptions, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        post(
            SystemCall(name: "requestAuthorization", needsProcess: true) { system, process in
                system.notifications.requestAuthorization(options, from: process) { granted in
                    process.reply { completion(granted, nil) }
                }
            })
    }

    func settings(completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
        post(
            SystemCall(name: "settings", needsProcess: true) { system, process in
                let settings = UNNotificationSettings(
                    values: system.notifications.settingValues(of: process.bundle.bundleID))
                process.reply { completion(settings) }
            })
    }

    func setCategories(_ categories: Set<UNNotificationCategory>) {
        let waits = categoriesWait && !(self is AppProcess)
        post(
            SystemCall(name: "setNotificationCategories", needsProcess: waits, holdsUpOthers: waits) {
                system, process in
                system.notifications.set(categories, of: process.bundle.bundleID)
            })
    }

    func categories(completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
        post(
            SystemCall(name: "categories", needsProcess: true) { system, process in
                let categories = system.apps[process.bundle.bundleID].map(system.notifications.categories) ?? []
                process.reply { completion(categories) }
            })
    }

    func add(_ request: UNNotificationRequest, completion: @escaping @Sendable ((any Error)?) -> Void) {
        if case .foreign(let type) = UserInfoKind(request.content.userInfo) { made(.userInfoNotArchivable, type) }
        if request.identifier.isEmpty { made(.emptyIdentifier) }
        post(
            SystemCall(name: "add", needsProcess: false) { system, process in
                let failure = system.notifications.add(request, to: process.bundle.bundleID)
                process.reply { completion(failure) }
            })
    }

    func pendingRequests(completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
        post(
            SystemCall(name: "pendingRequests", needsProcess: true) { system, process in
                let requests = system.notifications.list(of: process.bundle.bundleID)?.pending.map(\.request) ?? []
                process.reply { completion(requests) }
            })
    }

    func removePending(identifiers: [String]?) {
        post(
            SystemCall(name: "removePending", needsProcess: false) { system, process in
                system.notifications.removePending(identifiers, of: process.bundle.bundleID)
            })
    }

    func deliveredNotifications(completion: @escaping @Sendable ([UNNotification]) -> Void) {
        post(
            SystemCall(name: "deliveredNotifications", needsProcess: true) { system, process in
                let shown = system.notifications.list(of: process.bundle.bundleID)?.delivered.map(\.notification) ?? []
                process.reply { completion(shown) }
            })
    }

    func removeDelivered(identifiers: [String]?) {
        post(
            SystemCall(name: "removeDeliveredNotifications", needsProcess: removalsWait, holdsUpOthers: true) {
                system, process in
                system.notifications.removeDelivered(
                    identifiers, of: process.bundle.bundleID,
                    because: process is AppProcess ? "the app has removed it" : "the service extension has removed it")
            })
    }

    func setBadgeCount(_ count: Int, completion: @escaping @Sendable ((any Error)?) -> Void) {
        post(
            SystemCall(name: "setBadgeCount", needsProcess: false) { system, process in
                let failure = system.notifications.setBadge(count, of: process.bundle.bundleID)
                process.reply { completion(failure) }
            })
    }
}
