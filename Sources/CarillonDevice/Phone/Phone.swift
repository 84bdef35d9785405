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

    /// The phone's ID, unique among the phones of one push service; also the name of the phone's folder.
    public let id: String
    /// See ``PhoneConfiguration/patience``.
    let patience: Duration

    /// Makes a phone that is on and unlocked, without apps.
    ///
    /// - Parameters:
    ///   - configuration: name, clock, folder, screen and rules.
    ///   - link: the source of pushes; `nil`, the default, for a phone that only ``receive(_:)`` reaches. The phone
    ///     connects in ``boot()``.
    public init(configuration: PhoneConfiguration, link: (any PushLink)? = nil) {
        id = configuration.id
        patience = configuration.patience
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
        life.system = self
        device.awaitMidnight { [weak life] in life?.announceSignificantTimeChange() }
        _ = OfflineURLProtocol.isRegistered
    }
}
