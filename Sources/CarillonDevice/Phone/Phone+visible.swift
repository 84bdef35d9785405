import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The visible state of a phone.
extension Phone {
    /// The name that people use for the phone; it appears in the texts of ``PhoneError``.
    public var name: String { device.name }
    /// The rules of iOS that this phone follows.
    ///
    /// A test may change the rules at any time. Later decisions follow the new rules; time limits that already run stay as they
    /// are.
    public var rules: PhoneRules {
        get { kernel.rules }
        set { kernel.rules = newValue }
    }
    /// The current time by the phone's clock.
    public var now: Timestamp { kernel.now }

    // MARK: the device

    /// Whether the phone is switched on; a new phone is on.
    public var isPoweredOn: Bool { device.isPoweredOn }
    /// Whether the phone shows the lock screen.
    ///
    /// A new phone is unlocked, and a restart locks the phone.
    public var isLocked: Bool { device.isLocked }
    /// Whether the phone has been unlocked since it was switched on.
    public var hasBeenUnlocked: Bool { device.hasBeenUnlocked }
    /// Whether files with complete protection can be read: the value of `isProtectedDataAvailable` in every app.
    public var isProtectedDataAvailable: Bool { device.isProtectedDataAvailable }
    /// Whether the phone has a network; see ``goOffline()``.
    public var isOnline: Bool { device.network.isOnline }
    /// The phone's location; `nil` before the first ``move(to:)``: the phone is then outside every region.
    public var location: CLLocationCoordinate2D? { device.location }
    /// The phone's time zone; see ``PhoneConfiguration/timeZone`` and ``Settings/setTimeZone(_:)``.
    public var timeZone: TimeZone { device.timeZone }
    /// The text on the phone's pasteboard, which every app can paste; `nil` if there is none.
    ///
    /// Apps set this text when they copy; a test may set it, too.
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
    /// Locking the phone does not change this value.
    public var frontApp: String? { screenState.frontApp }

    // MARK: the records

    /// The sounds of notifications, oldest first; at most the newest 500.
    public var sounds: [PlayedSound] { records.sounds }
    /// The links that apps have opened, oldest first; at most the newest 500.
    public var openedURLs: [OpenedURL] { records.openedURLs }
    /// The haptics and VoiceOver announcements of apps, oldest first; at most the newest 500.
    public var deviceEvents: [RecordedDeviceEvent] { records.deviceEvents }
    /// The messages and calls that apps have donated as interactions, oldest first; at most the newest 500.
    public var donations: [Donation] { records.donations }
    /// The log of the pushes that have arrived: their entries in ``traces``, oldest first.
    public var pushLog: [PushTrace] { log.entries.filter { $0.origin == .push } }
    /// The log of pushes, local notifications, other events and delegate problems, oldest first; at most the newest 1000.
    public var traces: [PushTrace] { log.entries }
    /// Returns the entry of ``traces`` with this number; `nil` if the phone no longer keeps the entry.
    package func trace(_ number: Int) -> PushTrace? { log.entry(number) }

    /// The events on the phone in the order in which they happened; at most the newest 4096.
    ///
    /// Equal inputs give equal histories in every run of the program. The inputs are the person's actions, the advances of the
    /// clock, and the work of the apps on the main actor. Apps on other phones of the program count too, because all phones share
    /// one main queue.
    ///
    /// Methods that an app calls on another thread are recorded when the calls arrive, so their order may differ between runs;
    /// see ``PhoneConfiguration/runsTasksInOrder``.
    public var history: [PhoneEvent] { kernel.history.events }

    /// Returns an event and the chain of its causes, as far back as ``history`` reaches.
    ///
    /// - Parameter number: the number of the event.
    /// - Returns: the event, its cause, the cause of that cause, and so on; empty if the phone no longer keeps the event.
    public func causes(of number: Int) -> [PhoneEvent] { kernel.history.causes(of: number) }
}
