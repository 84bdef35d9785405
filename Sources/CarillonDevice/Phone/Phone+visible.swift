import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The visible state of a phone.
extension Phone {
    /// The name that people use for the phone; it appears in the texts of ``PhoneError``.
    public var name: String { device.name }
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
    /// Whether the phone has a network; see ``goOffline()``.
    public var isOnline: Bool { device.network.isOnline }
    /// The phone's location; `nil` until ``move(to:)``, which is outside of every region.
    public var location: CLLocationCoordinate2D? { device.location }
    /// The phone's time zone: see ``PhoneConfiguration/timeZone``.
    public var timeZone: TimeZone { device.timeZone }
    /// The text that an app copied last, which every app can paste; `nil` for none.
    ///
    /// A test may copy something itself.
    public var copiedText: String? {
        get { device.copiedText }
        set { device.copiedText = newValue }
    }

    // MARK: the screen

    /// The banner at the top of the screen; `nil` when there is none.
    public var banner: Banner? { screenState.banner }
    /// The question for permission on the screen; `nil` when there is none.
    public var permissionSheet: PermissionSheet? { screenState.permissionSheet }
    /// The question for Face ID or Touch ID on the screen; `nil` when there is none.
    public var authenticationSheet: AuthenticationSheet? { screenState.authenticationSheet }
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

    /// All events on the phone, in one order, oldest first; the newest 4096.
    ///
    /// Equal inputs give equal lists in every process: a person's actions, the advances of the clock, and the work of the
    /// apps on the main actor. The work of an app on other threads is listed when it arrives. While apps of other phones run
    /// in the process, the wait of a call depends on them.
    public var history: [PhoneEvent] { kernel.history.events }

    /// Returns an event, its cause, the cause of that one, and so on, as far back as ``history`` reaches.
    ///
    /// - Parameter number: the number of the event.
    /// - Returns: the event first; nothing for one that is no longer kept.
    public func causes(of number: Int) -> [PhoneEvent] { kernel.history.causes(of: number) }
}
