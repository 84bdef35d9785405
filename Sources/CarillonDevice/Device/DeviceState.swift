import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit

/// The phone as a device: power, lock, network, place, and the person's settings.
@MainActor final class DeviceState: PartWithApps {
    /// The settings that the person has made for an app, apart from notifications.
    struct AppSettings {
        var isBackgroundRefreshOn = true
        /// The person lets it use the location while it is in use.
        var isLocationAllowed = false
    }

    let kernel: PhoneKernel
    /// The name that people use for the phone.
    let name: String
    private let firstLocale: Locale
    nonisolated let timeZone: TimeZone
    /// The `identifierForVendor` of every app on this phone; each phone has its own.
    let vendorIdentifier: UUID
    nonisolated let network = NetworkState()
    /// ``hasBeenUnlocked`` for the code of apps, on any thread.
    nonisolated let unlocked = LockedValue(true)
    /// ``DeviceSettings/isLowPowerModeOn`` for the code of apps, on any thread.
    nonisolated let lowPower = LockedValue(false)

    var settings: DeviceSettings {
        didSet { lowPower.value = settings.isLowPowerModeOn }
    }
    var orientation = UIDeviceOrientation.portrait
    var location: CLLocationCoordinate2D?
    var copiedText: String?
    private(set) var isPoweredOn = true
    private(set) var isLocked = false
    private(set) var hasBeenUnlocked = true {
        didSet { unlocked.value = hasBeenUnlocked }
    }
    private var perApp = PerApp(AppSettings())
    var protection: DataProtection
    var protectionTimer: ScheduledAction?
    var midnightTimer: ScheduledAction?

    init(kernel: PhoneKernel, configuration: PhoneConfiguration) {
        self.kernel = kernel
        name = configuration.name
        firstLocale = configuration.locale
        timeZone = configuration.timeZone
        settings = DeviceSettings(locale: configuration.locale)
        vendorIdentifier = UUID(ofPhone: configuration.id)
        protection = DataProtection(hasPasscode: configuration.hasPasscode)
    }

    // MARK: settings of apps

    func settings(of app: InstalledApp) -> AppSettings { perApp[app] }

    func changeSettings(of app: InstalledApp, _ edit: (inout AppSettings) -> Void) { edit(&perApp[app]) }

    /// Sets the state of an installed app; an update keeps the person's settings (rule 39).
    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        perApp.install(app, updating: old) { new, old in if kernel.rules.keeps(.updateKeepsSettings) { new = old } }
    }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    // MARK: power and lock

    func switchedOn() { isPoweredOn = true }

    /// Switches the phone off; it is locked when it is on again.
    func switchedOff() {
        isPoweredOn = false
        isLocked = true
        hasBeenUnlocked = false
        stopProtectionTimer()
        protection.switchedOff()
    }

    func wasLocked() { isLocked = true }

    func wasUnlocked() {
        isLocked = false
        hasBeenUnlocked = true
    }

    func checkPoweredOn() throws(PhoneError) {
        guard isPoweredOn else { throw PhoneError(.phoneOff, "\(name) is off: switch it on first.") }
    }

    func checkUsable() throws(PhoneError) {
        try checkPoweredOn()
        guard !isLocked else { throw PhoneError(.phoneLocked, "\(name) is locked: unlock it first.") }
    }

    /// Resets the phone to its state when new, except for the passcode.
    func erase() {
        settings = DeviceSettings(locale: firstLocale)
        // Airplane Mode is a setting too.
        network.isOnline = true
        location = nil
        copiedText = nil
        wasUnlocked()
        protection = DataProtection(hasPasscode: protection.hasPasscode)
    }
}
