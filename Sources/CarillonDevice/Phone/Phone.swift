import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// A simulated iPhone: lock screen, notification center, apps, power, network, and a person's actions.
///
/// Methods are the person's actions; properties are the visible state. A method returns after the app's callbacks were called;
/// ``settled(within:)`` waits until the app has answered them. All times are the clock's: with a `ManualClock`, nothing expires
/// until it is advanced.
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
    let pushes: Pushes
    let person: Person
    let rest: PhoneRest

    /// The phone's ID, unique among the phones of one push service; also the name of the phone's folder.
    public let id: String

    /// Makes a phone that is on and unlocked, without apps.
    ///
    /// - Parameters:
    ///   - configuration: name, clock, folder, screen and rules.
    ///   - link: the source of pushes, connected in ``boot()``; `nil`, the default, for a phone that gets pushes only by
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
        pushes = Pushes(notifications: notifications, telephony: telephony)
        person = Person(notifications: notifications, pushes: pushes)
        rest = PhoneRest(life: life, patience: configuration.patience)
        life.system = self
        device.awaitMidnight { [weak life] in life?.announceSignificantTimeChange() }
        _ = OfflineURLProtocol.isRegistered
    }

    /// Hands the phone a push, as the push service would.
    ///
    /// Returns after the app's callbacks were called, or if there is nothing to call.
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
    /// The changes of the phone from now on, until it is shut down.
    ///
    /// A reader that falls 1024 changes behind loses the oldest ones, so read the state again instead of counting on each
    /// change.
    public var changes: AsyncStream<PhoneChange> { kernel.observers.stream() }

    /// Suspends until `predicate` is true.
    ///
    /// It is evaluated now and after every change of the phone.
    ///
    /// - Parameters:
    ///   - description: the awaited state, as it reads after "until".
    ///   - limit: **real** time, with any clock of the phone. The default is 60 seconds.
    ///   - predicate: returns whether the awaited state is reached.
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
    /// It waits for calls of apps and their calls to the system, for completion handlers, and for the apps' tasks on Swift's
    /// thread pool. It cannot count blocks on Dispatch queues, an app's own threads, requests of a `URLSession`, and sleeps in
    /// real time. Such work gets one chance to arrive if it is already on its way to a thread or to the main queue. Await other
    /// such work with ``until(_:within:_:)``.
    ///
    /// A handler that the app never calls ends with its time limit on the phone's clock: with a `ManualClock`, advance it.
    /// Sometimes only such handlers are outstanding, and no block, sleeping task or request of the app could still call one.
    /// Then this method waits for the phone's ``PhoneConfiguration/patience`` in real time, writes that into the trace, and
    /// returns.
    ///
    /// Whenever real time had to pass, ``history`` says so (``PhoneEvent/Kind/realTime``), because another run may end
    /// differently.
    ///
    /// - Parameter limit: **real** time. The default is 60 seconds.
    /// - Throws: ``PhoneError`` (`timedOut`), naming the outstanding work.
    public func settled(within limit: Duration = PhoneLimits.waitingTime) async throws {
        try await rest.settled(within: limit)
    }

    /// Whether no callback and no completion handler of an app is outstanding.
    package var isSettled: Bool { rest.isSettled }

    /// Whether a call to or from a running app waits for its turn.
    ///
    /// Waits for the phone's time, such as those for a completion handler, do not count.
    package var isCallUnderWay: Bool { rest.isCallUnderWay }
}
