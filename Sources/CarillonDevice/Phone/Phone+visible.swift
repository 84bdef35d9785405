import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The visible state of a phone.
extension Phone {
    /// The name that people use for the phone; it appears in the texts of ``PhoneError``.
    public var name: String { device.name }
    /// The size, scale and safe area of the screen, in points.
    public var screen: ScreenShape { screenState.shape }
    /// iOS's rules as this phone keeps them.
    ///
    /// May be changed at any time; work that has begun finishes under the old rules.
    public var rules: PhoneRules {
        get { kernel.rules }
        set { kernel.rules = newValue }
    }
    /// The time by the phone's clock.
    public var now: Timestamp { kernel.now }

    // MARK: the device

    /// Whether the phone is switched on; it is from the start.
    public var isPoweredOn: Bool { device.isPoweredOn }
    /// Whether the lock screen is up.
    ///
    /// A new phone is unlocked; one that was restarted is locked.
    public var isLocked: Bool { device.isLocked }
    /// Whether it has been unlocked since it was switched on.
    public var hasBeenUnlocked: Bool { device.hasBeenUnlocked }
    /// Whether files with complete protection can be read: what `isProtectedDataAvailable` says in every app.
    public var isProtectedDataAvailable: Bool { device.isProtectedDataAvailable }
    /// Whether a passcode is set; without one protected files are never closed.
    public var hasPasscode: Bool { device.protection.hasPasscode }
    /// Whether the phone has a network; see ``goOffline()``.
    public var isOnline: Bool { device.network.isOnline }
    /// Whether a Focus is on, which holds back banners and sounds; see ``setFocus(_:)``.
    public var isFocusOn: Bool { device.settings.isFocusOn }
    /// The handles and identifiers of the people that a Focus lets through; see ``allowInFocus(_:)``.
    public var peopleAllowedInFocus: Set<String> { device.settings.peopleAllowedInFocus }
    /// Whether the ring switch is set to silent; see ``setMuted(_:)``.
    public var isMuted: Bool { device.settings.isMuted }
    /// Whether Low Power Mode is on; see ``setLowPowerMode(_:)``.
    public var isLowPowerModeOn: Bool { device.settings.isLowPowerModeOn }
    /// Whether VoiceOver is on: `UIAccessibility.isVoiceOverRunning` in every app.
    public var isVoiceOverRunning: Bool { device.settings.isVoiceOverRunning }
    /// Whether Reduce Motion is on: `UIAccessibility.isReduceMotionEnabled` in every app.
    public var isReduceMotionOn: Bool { device.settings.isReduceMotionOn }
    /// Whether apps are drawn dark.
    public var isDarkModeOn: Bool { device.settings.isDarkModeOn }
    /// The language and region, for time and date formats and the layout direction; see ``setLocale(_:)``.
    public var locale: Locale { device.settings.locale }
    /// The orientation in which the phone is held.
    public var orientation: UIDeviceOrientation { device.orientation }
    /// The phone's location; `nil` until ``move(to:)``, which is outside of every region.
    public var location: CLLocationCoordinate2D? { device.location }
    /// The phone's time zone: see ``PhoneConfiguration/timeZone``.
    public var timeZone: TimeZone { device.timeZone }
    /// The hours of the scheduled summary: full hours of the day, in ``timeZone``.
    ///
    /// The default is 8 and 18.
    public var summaryHours: [Int] {
        get { device.settings.summaryHours }
        set { device.settings.summaryHours = newValue }
    }
    /// The text that an app copied last, which every app can paste; `nil` for none.
    ///
    /// A test may copy something itself.
    public var copiedText: String? {
        get { device.copiedText }
        set { device.copiedText = newValue }
    }

    // MARK: the screen

    /// The system interface that covers the app in front, other than a permission sheet; `nil` for none.
    public var interruption: Interruption? { screenState.interruption }
    /// The banner at the top of the screen; `nil` when there is none.
    public var banner: Banner? { screenState.banner }
    /// The question for permission on the screen; `nil` when there is none.
    public var permissionSheet: PermissionSheet? { screenState.permissionSheet }
    /// The question for Face ID or Touch ID on the screen; `nil` when there is none.
    public var authenticationSheet: AuthenticationSheet? { screenState.authenticationSheet }
    /// Whether the Settings app fills the screen; see ``openSettings()``.
    public var isInSettings: Bool { screenState.isInSettings }
    /// The bundle ID of the app that fills the screen; `nil` for the home screen.
    ///
    /// It stays the same while the phone is locked.
    public var frontApp: String? { screenState.frontApp }

    // MARK: the records

    /// Sounds of notifications, oldest first; the newest 500.
    public var sounds: [PlayedSound] { records.sounds }
    /// Links that apps have opened, oldest first; the newest 500.
    public var openedURLs: [OpenedURL] { records.openedURLs }
    /// Haptics and VoiceOver announcements, oldest first; the newest 500.
    public var deviceEvents: [RecordedDeviceEvent] { records.deviceEvents }
    /// Messages and calls that apps have donated as interactions, oldest first; the newest 500.
    public var donations: [Donation] { records.donations }
    /// One entry for each push that has arrived, oldest first.
    public var pushLog: [PushTrace] { log.entries.filter { $0.origin == .push } }
    /// The log of pushes, local notifications, other events and delegate problems, oldest first; the newest 1000.
    public var traces: [PushTrace] { log.entries }
    /// Returns the entry of ``traces`` with that number; `nil` if it is no longer kept.
    package func trace(_ number: Int) -> PushTrace? { log.entry(number) }
}
