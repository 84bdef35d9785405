import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// A simulated iPhone: lock screen, notification center, apps, power, network, and a person's actions.
///
/// A phone's methods are the person's actions, and its properties are the visible state. A method returns after the phone has
/// called the app's callbacks; ``settled(within:)`` also waits until the app has called its completion handlers. All times are
/// by the phone's clock: with a `ManualClock`, nothing expires until the test advances the clock.
@MainActor public final class Phone: AppSystem {
    // The parts, each with its own state; each part knows only the parts above it.
    nonisolated let kernel: PhoneKernel
    let log: Traces
    let records: PhoneRecords
    let device: DeviceState
    let apps: InstalledApps
    let screenState: PhoneScreen
    let life: AppLife
    let background: Background
    let connection: PushConnection
    let notifications: Notifications
    let telephony: Telephony
    let liveActivities: LiveActivities
    /// The widgets and controls that the person has added, with the person's actions.
    public let widgets: PhoneWidgets
    let pushes: Pushes
    let person: Person
    let rest: PhoneRest

    /// The phone's ID, unique among the phones of one simulated APNs; also the name of the phone's folder.
    public let id: String

    /// Makes a phone that is switched on and unlocked, and has no apps.
    ///
    /// - Parameters:
    ///   - configuration: name, clock, folder, screen and rules.
    ///   - link: the connection to a simulated APNs, which ``boot()`` opens; with `nil`, the default, pushes come only through
    ///     ``receive(_:)``.
    public init(configuration: PhoneConfiguration, link: (any PushLink)? = nil) {
        id = configuration.id
        kernel = PhoneKernel(configuration)
        log = Traces(kernel: kernel)
        records = PhoneRecords(kernel: kernel)
        device = DeviceState(kernel: kernel, configuration: configuration)
        apps = InstalledApps(
            phoneName: configuration.name,
            folder: configuration.storage.appending(
                path: Containers.fileName(configuration.id), directoryHint: .isDirectory))
        screenState = PhoneScreen(kernel: kernel, shape: configuration.screen)
        life = AppLife(kernel: kernel, traces: log, device: device, apps: apps, screen: screenState)
        connection = PushConnection(life: life, phoneID: configuration.id, link: link)
        background = Background(life: life)
        notifications = Notifications(background: background, records: records)
        telephony = Telephony(background: background)
        liveActivities = LiveActivities(background: background, connection: connection, records: records)
        widgets = PhoneWidgets(background: background, connection: connection)
        pushes = Pushes(notifications: notifications, telephony: telephony, activities: liveActivities, widgets)
        person = Person(notifications: notifications, pushes: pushes)
        rest = PhoneRest(life: life, patience: configuration.patience)
        life.system = self
        _ = OfflineURLProtocol.isRegistered
        awaitMidnight()
    }

    /// Tells apps of every midnight from now on.
    func awaitMidnight() { device.awaitMidnight { [weak life] in life?.announceSignificantTimeChange() } }

    /// Delivers a push to the phone, as APNs does.
    ///
    /// Returns after the phone has called the app's callbacks, or when it is clear that the phone calls none.
    ///
    /// - Returns: the number of the entry in ``pushLog``.
    @discardableResult
    public func receive(_ push: IncomingPush) async -> Int {
        let reached = PendingAnswer<Void>()
        let entry = pushes.arrived(push, reached: reached)
        _ = await reached.wait()
        return entry.number
    }
}

// MARK: - waiting

extension Phone {
    /// A stream of the phone's changes from now on, which ends when the phone is shut down.
    ///
    /// A reader that falls 1024 changes behind loses the oldest ones. Therefore use a change as a reason to read the phone's
    /// state again.
    public var changes: AsyncStream<PhoneChange> { kernel.observers.stream() }

    /// Suspends until `predicate` is true.
    ///
    /// The phone evaluates `predicate` immediately, and after every change.
    ///
    /// - Parameters:
    ///   - description: the awaited state, for error messages; the text follows the word "until".
    ///   - limit: the longest wait, in **real** time even if the phone has a `ManualClock`. The default is 60 seconds.
    ///   - predicate: returns whether the phone has reached the awaited state.
    /// - Throws: ``PhoneError`` (`timedOut`), which names the awaited state and the phone's unfinished work;
    ///   `CancellationError`.
    public func until(
        _ description: String, within limit: Duration = PhoneLimits.waitingTime,
        _ predicate: @escaping @MainActor (Phone) -> Bool
    ) async throws {
        try await rest.until(description, within: limit) { [weak self] in self.map(predicate) ?? true }
    }

    /// Suspends until the phone is at rest: nothing more can happen before its clock advances.
    ///
    /// This method waits for the phone's calls to apps, the apps' calls to the system, completion handlers, and the apps' tasks
    /// on Swift's thread pool. It cannot count blocks on Dispatch queues, an app's own threads, requests of a `URLSession`, and
    /// sleeps in real time. Await such work with ``until(_:within:_:)``.
    ///
    /// If an app never calls a completion handler, the wait for the handler ends with the handler's time limit on the phone's
    /// clock. With a `ManualClock`, a test must advance the clock for this.
    ///
    /// Sometimes only uncalled completion handlers are outstanding, and no block, sleeping task or request of an app could still
    /// call one. This method then waits for ``PhoneConfiguration/patience`` in real time, notes the handlers in the trace, and
    /// returns.
    ///
    /// Whenever this method waits in real time, it adds the event ``PhoneEvent/Kind/realTime`` to ``history``, because another
    /// run may end differently.
    ///
    /// - Parameter limit: the longest wait, in **real** time. The default is 60 seconds.
    /// - Throws: ``PhoneError`` (`timedOut`), which names the outstanding work.
    public func settled(within limit: Duration = PhoneLimits.waitingTime) async throws {
        try await rest.settled(within: limit)
    }

    /// Whether no callback and no completion handler of an app is outstanding.
    package var isSettled: Bool { rest.isSettled }

    /// Whether work is under way, such as an app's Swift task, the phone's call of an app's code, or an app's request to iOS.
    ///
    /// Waiting for a completion handler, or for the phone's clock to advance, does not count.
    package var isCallUnderWay: Bool { rest.isCallUnderWay }
}
