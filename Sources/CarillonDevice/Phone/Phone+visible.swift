import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The visible state of a phone.
extension Phone {
    /// The name that people use for the phone; it appears in the texts of ``PhoneError``.
    public var name: String { device.name }
    /// iOS's rules on this phone.
    ///
    /// They may be changed at any time; work that has begun finishes under the old rules.
    public var rules: PhoneRules {
        get { kernel.rules }
        set { kernel.rules = newValue }
    }
    /// The time by the phone's clock.
    public var now: Timestamp { kernel.now }

    // MARK: the device

    /// Whether the phone is switched on; a new phone is.
    public var isPoweredOn: Bool { device.isPoweredOn }
    /// Whether the lock screen is shown.
    ///
    /// A new phone is unlocked; after a restart it is locked.
    public var isLocked: Bool { device.isLocked }
    /// Whether the phone has been unlocked since it was switched on.
    public var hasBeenUnlocked: Bool { device.hasBeenUnlocked }
    /// Whether files with complete protection can be read: the value of `isProtectedDataAvailable` in every app.
    public var isProtectedDataAvailable: Bool { device.isProtectedDataAvailable }
    /// Whether the phone has a network; see ``goOffline()``.
    public var isOnline: Bool { device.network.isOnline }
    /// The phone's location; `nil`, outside every region, before the first ``move(to:)``.
    public var location: CLLocationCoordinate2D? { device.location }
    /// The phone's time zone; see ``PhoneConfiguration/timeZone``.
    public var timeZone: TimeZone { device.timeZone }
    /// The text that an app copied last and that every app can paste; `nil` for none.
    ///
    /// A test may also set it.
    public var copiedText: String? {
        get { device.copiedText }
        set { device.copiedText = newValue }
    }

    // MARK: the screen

    /// The banner at the top of the screen; `nil` if there is none.
    public var banner: Banner? { screenState.banner }
    /// The permission sheet on the screen; `nil` if there is none.
    public var permissionSheet: PermissionSheet? { screenState.permissionSheet }
    /// The sheet for Face ID or Touch ID on the screen; `nil` if there is none.
    public var authenticationSheet: AuthenticationSheet? { screenState.authenticationSheet }
    /// The bundle ID of the app that fills the screen; `nil` for the home screen.
    ///
    /// Locking the phone does not change it.
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
    /// One entry for each arrived push, oldest first.
    public var pushLog: [PushTrace] { log.entries.filter { $0.origin == .push } }
    /// The log of pushes, local notifications, other events and delegate problems, oldest first; the newest 1000.
    public var traces: [PushTrace] { log.entries }
    /// Returns the entry of ``traces`` with that number; `nil` if it is no longer kept.
    package func trace(_ number: Int) -> PushTrace? { log.entry(number) }

    /// All events on the phone, in one order, oldest first; the newest 4096.
    ///
    /// Equal inputs give equal lists in every process. The inputs are the person's actions, the advances of the clock, and the
    /// work of the apps on the main actor. An app's work on other threads is listed when it arrives. While apps of other phones
    /// run in the process, the wait of a call depends on them.
    public var history: [PhoneEvent] { kernel.history.events }

    /// Returns an event, its cause, that event's cause, and so on, as far back as ``history`` reaches.
    ///
    /// - Parameter number: the number of the event.
    /// - Returns: the events, beginning with the one asked for; empty if it is no longer kept.
    public func causes(of number: Int) -> [PhoneEvent] { kernel.history.causes(of: number) }
}
