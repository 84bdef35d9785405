import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// A simulated iPhone: lock screen, notification center, apps, power, network, and a person's actions.
///
/// A person's actions are methods, and the visible state is in properties. Methods return once the app's callbacks have been
/// called; ``settled(within:)`` waits until the app has answered them. All time is the clock's: with a `ManualClock` nothing
/// expires until it is advanced.
@MainActor public final class Phone: AppSystem {
    // The parts, each with the state of its own: what stands further down knows what stands above it.
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
    ///   - link: the source of pushes; `nil`, the default, for a phone that only ``receive(_:)`` reaches. The phone
    ///     connects in ``boot()``.
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
    /// Returns once the app's callbacks have been called, or when there is nothing to call.
    ///
    /// - Returns: the number of its entry in ``pushLog``.
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
    /// A reader that falls 1024 changes behind loses the oldest. Read the state again rather than count on each change.
    public var changes: AsyncStream<PhoneChange> { kernel.observers.stream() }

    /// Suspends until `predicate` is true, which is evaluated now and after every change of the phone.
    ///
    /// - Parameters:
    ///   - description: the awaited state, as it reads after "until".
    ///   - limit: **real** time, whatever clock the phone has. The default is 60 seconds.
    ///   - predicate: whether the awaited state is reached.
    /// - Throws: ``PhoneError`` (`timedOut`) with a sentence that names the awaited state and what the phone was
    ///   doing; `CancellationError`.
    public func until(
        _ description: String, within limit: Duration = PhoneLimits.waitingTime,
        _ predicate: @escaping @MainActor (Phone) -> Bool
    ) async throws {
        try await rest.until(description, within: limit) { [weak self] in self.map(predicate) ?? true }
    }

    /// Suspends until the phone is at rest: nothing more can happen before its clock advances.
    ///
    /// It waits for calls of apps and their calls to the system, for completion handlers, and for the work of apps' tasks on
    /// Swift's pool of threads. It cannot count blocks on queues of Dispatch, threads of the app's own, requests of a
    /// `URLSession` and sleeps in real time. Of these, work that is already on its way to a thread or to the main queue gets
    /// one chance to arrive. Await the rest by ``until(_:within:_:)``.
    ///
    /// A handler that the app never calls ends with its budget on the phone's clock: with a `ManualClock`, advance it. If
    /// only such handlers are outstanding, and no block, sleeping task or request of the app is under way that might call
    /// one, this lets the phone's ``PhoneConfiguration/patience`` pass in real time, writes that into the trace, and returns.
    ///
    /// Whenever real time had to pass, ``history`` says so (``PhoneEvent/Kind/realTime``), since another run may end
    /// otherwise.
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
    /// It does not wait for the phone's time to pass, which a completion handler may.
    package var isCallUnderWay: Bool { rest.isCallUnderWay }
}
