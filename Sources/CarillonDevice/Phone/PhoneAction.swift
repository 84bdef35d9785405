import CarillonCore
import Foundation

/// An action of a person, a network or a test on a phone, as a value.
///
/// ``Phone/perform(_:)`` performs it, and ``Phone/history`` names it. The enumeration is indirect, because a history keeps
/// thousands of events and few of them are large.
public indirect enum PhoneAction: Sendable, Hashable, Codable {
    // MARK: power and network
    case boot, restart, powerOff, goOffline, goOnline, erase
    /// A push arrives. Among the events it is a ``PhoneEvent/Kind/push(_:)``.
    case receive(IncomingPush)

    // MARK: the phone itself
    case pressHome, lock, unlock, openSettings, takeScreenshot, endInterruption, announceSignificantTimeChange
    case interrupt(Interruption)
    case answerPermission(Bool)
    case authenticate(Bool)

    // MARK: apps
    /// Installs an app; as a value, it updates an app that is installed.
    case install(String)
    case uninstall(String), openApp(String), forceQuit(String)
    case terminateBySystem(String), warnOfMemory(String), disconnectScene(String)
    case performBackgroundFetch(String)
    case finishBackgroundTransfers(session: String, app: String)
    case runBackgroundTask(String, app: String)
    /// Code of a test runs in the app, which no value holds.
    case run(String)

    // MARK: ways into an app
    case openURL(URL, app: String), followLink(URL)
    case chooseShortcut(type: String, app: String)
    case openNotificationSettings(String, notification: String?)
    /// Continues an activity from another device; as a value, the activity has a type only.
    case handOff(type: String, app: String)

    // MARK: notifications
    case tap(String, app: String), dismiss(String, app: String), expand(String, app: String)
    case choose(String, notification: String, app: String, text: String?)
    case swipeAwayBanner, collapse, pressMediaButton

    // MARK: the screen
    case touch(x: Double, y: Double, Phone.TouchPhase), touchExpanded(x: Double, y: Double, Phone.TouchPhase)
    case reveal(Int)
    case type(String)

    // MARK: calls
    case answerCall(UUID?), declineCall(UUID?), hangUp(UUID?)

    // MARK: switches and surroundings
    case setFocus(Bool), setMuted(Bool), setVoiceOver(Bool), setReduceMotion(Bool), setLowPowerMode(Bool)
    case setDarkMode(Bool), setPasscode(Bool)
    case allowInFocus(String)
    /// Sets the locale, by its identifier.
    case setLocale(String)
    /// Turns the phone, by the raw value of `UIDeviceOrientation`.
    case rotate(Int)
    case move(latitude: Double, longitude: Double)

    // MARK: settings of apps
    case setBackgroundRefresh(Bool, app: String), setNotificationsAllowed(Bool, app: String)
    case setLocationAllowed(Bool, app: String)
    case set(NotificationSwitch, Bool, app: String)
    case changeSettings(NotificationSwitches, app: String)
}
