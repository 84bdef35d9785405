import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A simulated iPhone: lock screen, notification center, apps, power, network, and what a person does with it.
///
/// What a person does is a method here; what the phone shows is a property. Methods return once the app's callbacks
/// have been called; ``settled(within:)`` waits until the app has answered them. All time is the clock's: with a
/// `ManualClock` nothing expires until it is advanced.
@MainActor public final class Phone {
    /// Unique among the phones of one push service; also the name of the phone's folder.
    public let id: String
    /// What people call the phone; it stands in the texts of ``PhoneError``.
    public let name: String
    /// Size, scale and safe area of the screen, in points.
    public let screen: ScreenShape
    /// iOS's rules as this phone keeps them.
    ///
    /// May be changed at any time; what has begun finishes under the old rules.
    public var rules: PhoneRules

    /// Whether the phone is switched on; it is from the start.
    public internal(set) var isPoweredOn = true
    /// Whether the lock screen is up.
    ///
    /// A new phone is unlocked; one that was restarted is locked.
    public internal(set) var isLocked = false
    /// Whether it has been unlocked since it was switched on.
    public internal(set) var hasBeenUnlocked = true {
        didSet { unlocked.value = hasBeenUnlocked }
    }
    /// ``hasBeenUnlocked`` for the code of apps, on any thread.
    nonisolated let unlocked = LockedValue(true)
    /// What covers the app in front, other than a permission sheet; `nil` for nothing.
    public internal(set) var interruption: Interruption?
    /// Whether a Focus is on, which holds back banners and sounds; see ``setFocus(_:)``.
    public internal(set) var isFocusOn = false
    /// Whether the ring switch is set to silent; see ``setMuted(_:)``.
    public internal(set) var isMuted = false
    /// Whether Low Power Mode is on; see ``setLowPowerMode(_:)``.
    public internal(set) var isLowPowerModeOn = false
    /// What `UIAccessibility.isVoiceOverRunning` says in every app.
    public internal(set) var isVoiceOverRunning = false
    /// What `UIAccessibility.isReduceMotionEnabled` says in every app.
    public internal(set) var isReduceMotionOn = false
    /// Whether apps are drawn dark.
    public internal(set) var isDarkModeOn = false
    /// Language and region: how time and date are written, and which way views are laid out; see ``setLocale(_:)``.
    public internal(set) var locale: Locale
    /// How the phone is held.
    public internal(set) var orientation = UIDeviceOrientation.portrait
    /// The banner at the top of the screen; `nil` when there is none.
    public internal(set) var banner: Banner?
    /// The question for permission on the screen; `nil` when there is none.
    public internal(set) var permissionSheet: PermissionSheet?
    /// The question for Face ID or Touch ID on the screen; `nil` when there is none.
    public internal(set) var authenticationSheet: AuthenticationSheet?
    /// Whether the Settings app fills the screen; see ``openSettings()``.
    public internal(set) var isInSettings = false
    /// The bundle ID of the app that fills the screen; `nil` for the home screen.
    ///
    /// It stays the same while the phone is locked.
    public internal(set) var frontApp: String?
    /// Sounds of notifications, oldest first; the newest 500.
    public internal(set) var sounds: [PlayedSound] = []
    /// Links that apps have opened, oldest first; the newest 500.
    public internal(set) var openedURLs: [OpenedURL] = []
    /// Haptics and VoiceOver announcements, oldest first; the newest 500.
    public internal(set) var deviceEvents: [RecordedDeviceEvent] = []
    /// Where the phone is; `nil` until ``move(to:)``, which is outside of every region.
    public internal(set) var location: CLLocationCoordinate2D?
    /// Messages and calls that apps have donated as interactions, oldest first; the newest 500.
    public internal(set) var donations: [Donation] = []
    /// Handles and identifiers of the people whom a Focus lets through; see ``allowInFocus(_:)``.
    public internal(set) var peopleAllowedInFocus: Set<String> = []
    /// When the scheduled summary comes: full hours of the day, in the time zone of the process.
    ///
    /// The default is 8 and 18.
    public var summaryHours = IOSLimits.summaryHours
    /// What the last scheduled summary held, the most relevant first.
    public internal(set) var summary: [UNNotification] = []

    nonisolated let clock: any CarillonClock
    nonisolated let network = NetworkState()
    nonisolated let mailbox = PhoneMailbox()
    let link: (any PushLink)?
    let folder: URL
    let firstLocale: Locale
    var random: SeededGenerator
    var apps: [String: InstalledApp] = [:]
    /// The processes of extensions that run.
    var extensions: [ObjectIdentifier: RunningProcess] = [:]
    var expansion: Expanded?
    var log = PhoneLog()
    let tasks = OutstandingTasks()
    let observers = PhoneObservers()
    var bannerTimer: ScheduledAction?
    var dueTimer: ScheduledAction?
    var budgetTimer: ScheduledAction?
    var midnightTimer: ScheduledAction?
    var protectionTimer: ScheduledAction?
    var protection: DataProtection
    var summaryTimer: ScheduledAction?
    var lastBannerNumber = 0

    /// Makes a phone that is on and unlocked, without apps.
    ///
    /// - Parameters:
    ///   - configuration: name, clock, folder, screen and rules.
    ///   - link: where pushes come from; `nil`, the default, for a phone that only ``receive(_:)`` reaches. The phone
    ///     connects in ``boot()``.
    public init(configuration: PhoneConfiguration, link: (any PushLink)? = nil) {
        id = configuration.id
        name = configuration.name
        screen = configuration.screen
        rules = configuration.rules
        clock = configuration.clock
        random = SeededGenerator(seed: configuration.seed)
        locale = configuration.locale
        firstLocale = configuration.locale
        protection = DataProtection(hasPasscode: configuration.hasPasscode)
        folder = configuration.storage.appending(
            path: Containers.fileName(configuration.id), directoryHint: .isDirectory)
        self.link = link
        mailbox.open(for: self)
        awaitMidnight()
        _ = OfflineURLProtocol.isRegistered
    }

    // MARK: what there is to see

    /// What was copied last, in whichever app, for all of them to paste; `nil` for nothing.
    ///
    /// A test may copy something itself.
    public var copiedText: String?

    /// The time by the phone's clock.
    public var now: Timestamp { clock.now }
    /// Whether the phone has a network; see ``goOffline()``.
    public var isOnline: Bool { network.isOnline }
    /// The bundle IDs of the installed apps, in alphabetical order.
    public var installedApps: [String] { apps.keys.sorted() }

    /// An installed app as it was installed; `nil` for an app that is not.
    public func bundle(of bundleID: String) -> AppBundle? { apps[bundleID]?.bundle }

    /// The app's notifications in the notification center, newest first; empty for an app that is not installed.
    public func deliveredNotifications(of bundleID: String) -> [UNNotification] {
        apps[bundleID]?.list.delivered.map(\.notification) ?? []
    }

    /// The app's notifications as they are grouped by `threadIdentifier`, the group with the newest first.
    public func notificationGroups(of bundleID: String) -> [NotificationGroup] {
        NotificationGroup.groups(of: deliveredNotifications(of: bundleID))
    }

    /// The requests that wait for their trigger, the soonest first; those that wait for a place come last.
    public func pendingRequests(of bundleID: String) -> [UNNotificationRequest] {
        apps[bundleID]?.list.pending.map(\.request) ?? []
    }

    /// The app's notifications on the lock screen, newest first: those that have arrived since it was last unlocked.
    ///
    /// They are among ``deliveredNotifications(of:)`` as well.
    public func lockScreenNotifications(of bundleID: String) -> [UNNotification] {
        apps[bundleID]?.list.delivered.filter(\.isOnLockScreen).map(\.notification) ?? []
    }

    /// The categories that the app has set last.
    public func categories(of bundleID: String) -> Set<UNNotificationCategory> { apps[bundleID]?.categories ?? [] }

    /// The number on the app's icon; 0 shows none.
    public func badge(of bundleID: String) -> Int { apps[bundleID]?.badge ?? 0 }

    /// Whether the app runs, and how; `notRunning` for an app that is not installed.
    public func runningState(of bundleID: String) -> RunningState { apps[bundleID]?.runningState ?? .notRunning }

    /// The token that the app was given last; `nil` before that, and after it has unregistered.
    public func deviceToken(of bundleID: String) -> Data? { apps[bundleID]?.token }

    /// Whether the app may send notifications; `notDetermined` until it asks.
    public func authorizationStatus(of bundleID: String) -> UNAuthorizationStatus {
        apps[bundleID]?.permission.status ?? .notDetermined
    }

    /// The running app's delegate, for a test to look into; `nil` while the app does not run.
    ///
    /// To call the app's code, go through ``run(in:_:)``: only there does `shared` mean this phone.
    public func delegate(of bundleID: String) -> (any UIApplicationDelegate)? {
        apps[bundleID]?.process?.application.delegate
    }

    /// One entry for each push that has arrived, oldest first.
    public var pushLog: [PushTrace] { log.entries.filter { $0.origin == .push } }

    /// Pushes, local notifications, other events, and what is wrong with apps' delegates, oldest first; the newest
    /// 1000.
    public var traces: [PushTrace] { log.entries }

    /// The entry of ``traces`` with that number; `nil` when it is no longer kept.
    package func trace(_ number: Int) -> PushTrace? { log.entry(number) }

    // MARK: inside

    func app(_ bundleID: String) -> InstalledApp? { apps[bundleID] }

    func installed(_ bundleID: String) throws(PhoneError) -> InstalledApp {
        guard let app = apps[bundleID] else {
            let names = apps.isEmpty ? "none" : installedApps.joined(separator: ", ")
            throw PhoneError(
                .unknownApp, "No app \(bundleID) is installed on \(name). Install it first; installed: \(names).")
        }
        return app
    }

    func settingValues(of bundleID: String) -> UNNotificationSettings.Values {
        apps[bundleID].map { $0.permission.settings(entitlements: $0.bundle.entitlements, rules: rules) } ?? .init()
    }

    /// Something has changed: followers are told, and whoever waits for a state looks again.
    func changed(_ change: PhoneChange?) { observers.changed(change, of: self) }

    /// Calls `body` on the main queue once the clock has advanced by `seconds`.
    nonisolated func schedule(
        afterSeconds seconds: Int, _ body: @escaping @MainActor @Sendable (Phone) -> Void
    ) -> ScheduledAction {
        clock.schedule(after: .seconds(seconds)) { [mailbox] in mailbox.post(body) }
    }

    /// Calls the app in a turn of its own.
    ///
    /// - Returns: whether it was running, so that the call took place, once the turn is over.
    @discardableResult
    func call(_ process: RunningProcess, _ body: @escaping @MainActor () -> Void) async -> Bool {
        await MainQueueExecutor.wait { continuation in
            ProcessScheduler.shared.run(as: process, body) { continuation.resume(returning: $0) }
        }
    }
}
