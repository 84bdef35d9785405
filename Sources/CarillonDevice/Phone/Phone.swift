import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A simulated iPhone: lock screen, notification center, the life of its apps, power and network, and a person's hands.
///
/// What a person does is a method here; what the phone shows is a property. Methods return once the app's callbacks have
/// been called; ``settled(within:)`` waits until the app has answered them. All time is the clock's: with a
/// `ManualClock` nothing expires until it is advanced.
@MainActor public final class Phone {
    public let id: String
    public let name: String
    public let screen: ScreenShape
    /// May be changed at any time; what is under way finishes under the old rules.
    public var rules: PhoneRules

    public internal(set) var isPoweredOn = true
    public internal(set) var isLocked = false
    /// Whether it has been unlocked since it was switched on.
    public internal(set) var hasBeenUnlocked = true
    /// What covers the app in front, other than a permission sheet.
    public internal(set) var interruption: Interruption?
    public internal(set) var isFocusOn = false
    public internal(set) var isMuted = false
    public internal(set) var isLowPowerModeOn = false
    public internal(set) var isVoiceOverRunning = false
    public internal(set) var isReduceMotionOn = false
    public internal(set) var isDarkModeOn = false
    /// How it is held.
    public internal(set) var orientation = UIDeviceOrientation.portrait
    public internal(set) var banner: Banner?
    public internal(set) var permissionSheet: PermissionSheet?
    /// The app that fills the screen; `nil`: the home screen. It stays so while the phone is locked.
    public internal(set) var frontApp: String?
    public internal(set) var sounds: [PlayedSound] = []
    public internal(set) var openedURLs: [OpenedURL] = []
    public internal(set) var deviceEvents: [RecordedDeviceEvent] = []
    /// Where the phone is; `nil` until it is moved for the first time, which is outside of every region.
    public internal(set) var location: CLLocationCoordinate2D?
    /// What apps have told of messages and calls, oldest first.
    public internal(set) var donations: [Donation] = []
    /// Whom a Focus lets through: handles and identifiers of people.
    public internal(set) var peopleAllowedInFocus: Set<String> = []
    /// When the scheduled summary comes: full hours of the day, in the time zone of the process. The default is 8 and 18.
    public var summaryHours = IOSLimits.summaryHours
    /// What the last scheduled summary held, the most relevant first.
    public internal(set) var summary: [UNNotification] = []

    nonisolated let clock: any CarillonClock
    nonisolated let network = NetworkState()
    nonisolated let mailbox = PhoneMailbox()
    let link: (any PushLink)?
    let folder: URL
    var random: SeededGenerator
    var apps: [String: InstalledApp] = [:]
    /// The extensions that are at work.
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

    /// - Parameter link: where pushes come from; `nil` for a phone that only a test's ``receive(_:)`` reaches. The phone
    ///   connects in ``boot()``.
    public init(configuration: PhoneConfiguration, link: (any PushLink)? = nil) {
        id = configuration.id
        name = configuration.name
        screen = configuration.screen
        rules = configuration.rules
        clock = configuration.clock
        random = SeededGenerator(seed: configuration.seed)
        protection = DataProtection(hasPasscode: configuration.hasPasscode)
        folder = configuration.storage.appending(
            path: Containers.fileName(configuration.id), directoryHint: .isDirectory)
        self.link = link
        mailbox.open(for: self)
        awaitMidnight()
        _ = OfflineURLProtocol.isRegistered
    }

    // MARK: what there is to see

    /// What was copied last, in whichever app, for all of them to paste. A test may copy something itself.
    public var copiedText: String?

    /// The phone's clock.
    public var now: Timestamp { clock.now }
    public var isOnline: Bool { network.isOnline }
    /// The bundle ids of the installed apps, in alphabetical order.
    public var installedApps: [String] { apps.keys.sorted() }
    public func bundle(of bundleID: String) -> AppBundle? { apps[bundleID]?.bundle }
    /// Newest first.
    public func deliveredNotifications(of bundleID: String) -> [UNNotification] {
        apps[bundleID]?.list.delivered.map(\.notification) ?? []
    }
    /// The list as a person sees it: what has the same thread id lies on one another (rule 28), the newest on top.
    public func notificationGroups(of bundleID: String) -> [NotificationGroup] {
        NotificationGroup.groups(of: deliveredNotifications(of: bundleID))
    }
    /// Soonest first.
    public func pendingRequests(of bundleID: String) -> [UNNotificationRequest] {
        apps[bundleID]?.list.pending.map(\.request) ?? []
    }
    /// Those on the lock screen, newest first: what has arrived since it was last unlocked. They are in the list as well.
    public func lockScreenNotifications(of bundleID: String) -> [UNNotification] {
        apps[bundleID]?.list.delivered.filter(\.isOnLockScreen).map(\.notification) ?? []
    }
    /// What the app has declared and not replaced since.
    public func categories(of bundleID: String) -> Set<UNNotificationCategory> { apps[bundleID]?.categories ?? [] }
    /// The number on the icon; 0 shows none.
    public func badge(of bundleID: String) -> Int { apps[bundleID]?.badge ?? 0 }
    public func runningState(of bundleID: String) -> RunningState { apps[bundleID]?.runningState ?? .notRunning }
    public func deviceToken(of bundleID: String) -> Data? { apps[bundleID]?.token }
    public func authorizationStatus(of bundleID: String) -> UNAuthorizationStatus {
        apps[bundleID]?.permission.status ?? .notDetermined
    }
    /// The running app's delegate, for a test to look into. To call the app's code, go through ``run(in:_:)``: only there
    /// does `shared` mean this phone.
    public func delegate(of bundleID: String) -> (any UIApplicationDelegate)? {
        apps[bundleID]?.process?.application.delegate
    }
    /// One entry for each push that has arrived, oldest first.
    public var pushLog: [PushTrace] { log.entries.filter { $0.origin == .push } }
    /// Pushes, local notifications, and launches of apps with something wrong with their delegates, oldest first.
    public var traces: [PushTrace] { log.entries }

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
