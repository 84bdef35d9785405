import CarillonCore
import CoreLocation
import Foundation
import Synchronization
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The state of the device, apart from its apps: power, lock, network, location, and the person's settings.
@MainActor final class DeviceState: PartWithApps {
    /// The person's settings for an app, apart from notifications.
    struct AppSettings {
        var isBackgroundRefreshOn = true
        /// Whether the person lets the app use the location while the app is in use.
        var isLocationAllowed = false
        var areLiveActivitiesOn = true
        /// Whether the person lets the app update its Live Activities frequently.
        var areFrequentUpdatesOn = true
    }

    let kernel: PhoneKernel
    /// The name that people use for the phone.
    let name: String
    private let firstLocale: Locale
    /// The phone's time zone; app code reads this value on any thread.
    nonisolated let zone: LockedValue<TimeZone>
    /// The `identifierForVendor` of every app on this phone; each phone has its own.
    let vendorIdentifier: UUID
    nonisolated let network = NetworkState()
    /// Whether the phone has been unlocked since it was switched on; app code reads this value on any thread.
    nonisolated let unlocked = LockedValue(true)
    /// Whether files with complete protection can be read; app code reads this value on any thread.
    nonisolated let protectedData = LockedValue(true)
    /// Whether Low Power Mode is on; app code reads this value on any thread.
    nonisolated let lowPower = LockedValue(false)

    var settings: DeviceSettings {
        didSet { lowPower.value = settings.isLowPowerModeOn }
    }
    var orientation = UIDeviceOrientation.portrait
    /// The charge of the battery, from 0 to 1.
    var batteryLevel = 1.0
    var location: CLLocationCoordinate2D?
    var copiedText: String?
    private(set) var isPoweredOn = true
    private(set) var isLocked = false
    private(set) var hasBeenUnlocked = true {
        didSet { unlocked.value = hasBeenUnlocked }
    }
    private var perApp = PerApp(AppSettings())
    var protection: DataProtection {
        didSet { protectedData.value = isProtectedDataAvailable }
    }
    var protectionTimer: ScheduledAction?
    var midnightTimer: ScheduledAction?

    init(kernel: PhoneKernel, configuration: PhoneConfiguration) {
        self.kernel = kernel
        name = configuration.name
        firstLocale = configuration.locale
        zone = LockedValue(configuration.timeZone)
        settings = DeviceSettings(locale: configuration.locale)
        vendorIdentifier = UUID(ofPhone: configuration.id)
        protection = DataProtection(hasPasscode: configuration.hasPasscode)
    }

    // MARK: settings of apps

    func settings(of app: InstalledApp) -> AppSettings { perApp[app] }

    func changeSettings(of app: InstalledApp, _ edit: (inout AppSettings) -> Void) { edit(&perApp[app]) }

    /// Gives an app the default settings when it is installed.
    ///
    /// An update keeps the person's settings for the app if ``PhoneRule/updateKeepsSettings`` is on.
    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        perApp.install(app, updating: old) { new, old in if kernel.rules.keeps(.updateKeepsSettings) { new = old } }
    }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    var timeZone: TimeZone { zone.value }

    /// The time zone and the rules by which the phone computes the dates of notification triggers.
    var triggerCalendar: TriggerCalendar {
        TriggerCalendar(
            timeZone: timeZone, keepsTimeOfMissingDay: kernel.rules.missingDayKeepsTime,
            countsIntervalFromNow: kernel.rules.intervalDateCountsFromNow,
            isOrdinalStrict: kernel.rules.weekdayOrdinalIsStrict)
    }

    // MARK: power and lock

    /// Whether the battery's charge is so low that iOS does only essential work: below ``PhoneRules/criticalBatteryLevel``.
    var isBatteryCritical: Bool { batteryLevel < kernel.rules.criticalBatteryLevel }

    func switchedOn() { isPoweredOn = true }

    /// Records that the phone is switched off; the phone will be locked when it is switched on.
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

/// The settings that a person changes on the phone itself, by a switch or in Settings.
///
/// The defaults are the settings of a new phone.
struct DeviceSettings: Sendable, Hashable {
    var isFocusOn = false
    /// The people whom the Focus allows, each by a handle (such as a telephone number) or by an identifier.
    var peopleAllowedInFocus: Set<String> = []
    var isMuted = false
    var isLowPowerModeOn = false
    var isVoiceOverRunning = false
    var isReduceMotionOn = false
    var isDarkModeOn = false
    /// The hours of the scheduled summary, as full hours of the day.
    var summaryHours = IOSLimits.summaryHours
    /// The phone's language and region.
    var locale: Locale

    var interfaceStyle: UIUserInterfaceStyle { isDarkModeOn ? .dark : .light }
}

/// The state of the phone's network; usable from any thread.
final class NetworkState: Sendable {
    private let online = Mutex(true)

    var isOnline: Bool {
        get { online.withLock { $0 } }
        set { online.withLock { $0 = newValue } }
    }
}

/// The methods that compute hours of the day in the phone's time zone: midnight, and the scheduled summary.
extension DeviceState {
    /// Calls `announce` at every midnight from now on, except while the phone is off.
    func awaitMidnight(_ announce: @escaping @MainActor @Sendable () -> Void) {
        midnightTimer?.cancel()
        midnightTimer = kernel.schedule(at: Self.midnight(after: kernel.now, in: timeZone)) { [weak self] in
            guard let self else { return }
            if isPoweredOn { announce() }
            awaitMidnight(announce)
        }
    }

    /// Returns the start of the next day.
    ///
    /// The method does not use `Calendar`, because that would take longer than everything else that booting does.
    static func midnight(after now: Timestamp, in zone: TimeZone) -> Timestamp {
        let seconds = now.date.timeIntervalSince1970
        let offset = TimeInterval(zone.secondsFromGMT(for: now.date))
        let day = (((seconds + offset) / 86_400).rounded(.down) + 1) * 86_400
        let guess = Date(timeIntervalSince1970: day - offset)
        // Daylight saving time may begin or end before then.
        return Timestamp(Date(timeIntervalSince1970: day - TimeInterval(zone.secondsFromGMT(for: guess))))
    }

    /// Returns the time of the next summary.
    ///
    /// - Parameters:
    ///   - now: the time by the phone's clock.
    ///   - hours: the hours of the day; without any, the result is a year away, which means never.
    ///   - zone: the time zone of the hours.
    /// - Returns: the time of the next summary.
    nonisolated static func summaryTime(after now: Timestamp, hours: [Int], in zone: TimeZone) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let next = hours.compactMap { hour in
            calendar.nextDate(
                after: now.date, matching: DateComponents(hour: hour, minute: 0, second: 0), matchingPolicy: .nextTime)
        }
        return next.min().map { Timestamp($0) } ?? now + .seconds(365 * 86_400)
    }
}

/// A jump of the phone from one place to another, without passing the places between them.
struct LocationChange: Sendable {
    /// The place before the move; `nil` means outside every region.
    let from: CLLocationCoordinate2D?
    let to: CLLocationCoordinate2D

    /// Returns whether the move fires a location trigger, by entering or leaving the trigger's region as the trigger demands.
    func fires(_ trigger: UNNotificationTrigger) -> Bool {
        guard let region = (trigger as? UNLocationNotificationTrigger)?.region as? CLCircularRegion else {
            return false
        }
        let wasInside = from.map(region.contains) ?? false
        let isInside = region.contains(to)
        return (region.notifyOnEntry && !wasInside && isInside) || (region.notifyOnExit && wasInside && !isInside)
    }
}
