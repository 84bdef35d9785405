import CarillonCore
import CoreLocation
import Foundation
import UIKit
import WidgetKit

/// An action of a person, a network or a test on a phone, as a value.
///
/// The enumeration is indirect, because a history holds thousands of actions, and few of them have large associated values.
public indirect enum PhoneAction: Sendable, Hashable, Codable {
    // MARK: power and network
    case boot, restart, powerOff, goOffline, goOnline, erase
    /// Delivers a push to the phone; ``Phone/history`` lists the push as ``PhoneEvent/Kind/push(_:)``.
    case receive(IncomingPush)

    // MARK: the phone itself
    case pressHome, lock, unlock, openSettings, takeScreenshot, endInterruption, announceSignificantTimeChange
    case interrupt(Interruption)
    case answerPermission(Bool)
    case authenticate(Bool)

    // MARK: apps
    /// Installs an app; ``Phone/perform(_:)`` can only update an installed app, because this value contains only the bundle ID.
    case install(String)
    case uninstall(String), openApp(String), forceQuit(String)
    case terminateBySystem(String), warnOfMemory(String), disconnectScene(String)
    case performBackgroundFetch(String)
    case finishBackgroundTransfers(session: String, app: String)
    case runBackgroundTask(String, app: String)
    /// Runs a test's code in the app; ``Phone/perform(_:)`` cannot perform it, because this value does not contain the code.
    case run(String)

    // MARK: ways into an app
    case openURL(URL, app: String), followLink(URL)
    case chooseShortcut(type: String, app: String)
    case openNotificationSettings(String, notification: String?)
    /// Continues, in an app, an activity from another device; the action contains only the activity's type, not its contents.
    case handOff(type: String, app: String)

    // MARK: notifications
    case tap(String, app: String), dismiss(String, app: String), expand(String, app: String)
    case choose(String, notification: String, app: String, text: String?)
    case clearAll(app: String)
    case swipeAwayBanner, collapse, pressMediaButton

    // MARK: Live Activities
    case dismissActivity(String, app: String)

    // MARK: widgets and controls
    /// Adds a widget of a kind, with the `WidgetFamily` of this raw value.
    case addWidget(String, family: Int, app: String)
    case removeWidget(Int, app: String)
    case addControl(String, app: String), removeControl(String, app: String)

    // MARK: the screen
    case touch(x: Double, y: Double, Phone.TouchPhase), touchExpanded(x: Double, y: Double, Phone.TouchPhase)
    case reveal(Int)
    case type(String)

    // MARK: calls
    case answerCall(UUID?), declineCall(UUID?), hangUp(UUID?)

    // MARK: switches and surroundings
    case setFocus(Bool), setMuted(Bool), setVoiceOver(Bool), setReduceMotion(Bool), setLowPowerMode(Bool)
    case setDarkMode(Bool), setPasscode(Bool)
    case setBatteryLevel(Double)
    case allowInFocus(String)
    /// Sets the phone's locale to the locale with this identifier.
    case setLocale(String)
    /// Sets the phone's time zone to the zone with this identifier.
    case setTimeZone(String)
    /// Rotates the phone to the `UIDeviceOrientation` with this raw value.
    case rotate(Int)
    case move(latitude: Double, longitude: Double)

    // MARK: settings of apps
    case setBackgroundRefresh(Bool, app: String), setNotificationsAllowed(Bool, app: String)
    case setLocationAllowed(Bool, app: String)
    case setLiveActivities(Bool, app: String), setFrequentUpdates(Bool, app: String)
    case set(NotificationSwitch, Bool, app: String)
    case changeSettings(NotificationSwitches, app: String)
}

extension Phone {
    /// Performs an action by calling the corresponding method.
    ///
    /// - Throws: the method's errors; ``PhoneError`` (`noValue`) if `action` lacks something that it needs, such as the closure
    ///   for ``PhoneAction/run(_:)``.
    public func perform(_ action: PhoneAction) async throws { try await action.perform(on: self) }
}

@MainActor extension PhoneAction {
    fileprivate func perform(on phone: Phone) async throws {
        switch self {
        case .boot: await phone.boot()
        case .restart: await phone.restart()
        case .powerOff: await phone.powerOff()
        case .goOffline: await phone.goOffline()
        case .goOnline: await phone.goOnline()
        case .erase: await phone.erase()
        case .receive(let push): await phone.receive(push)
        case .pressHome: await phone.pressHome()
        case .lock: await phone.lock()
        case .unlock: await phone.unlock()
        case .openSettings: try await phone.settings.open()
        case .takeScreenshot: await phone.screen.takeScreenshot()
        case .endInterruption: await phone.screen.endInterruption()
        case .announceSignificantTimeChange: phone.system.announceSignificantTimeChange()
        case .interrupt(let interruption): try await phone.screen.interrupt(with: interruption)
        case .answerPermission(let allow): try await phone.answerPermission(allow: allow)
        case .authenticate(let isOwner): try await phone.authenticate(isOwner)
        case .install(let app): phone.install(try phone.apps.installed(app).bundle)
        case .uninstall(let app): try await phone.uninstall(app)
        case .openApp(let app): try await phone.openApp(app)
        case .forceQuit(let app): try await phone.forceQuit(app)
        case .terminateBySystem(let app): try phone.system.terminate(app)
        case .warnOfMemory(let app): try await phone.system.warnOfMemory(app)
        case .disconnectScene(let app): try await phone.system.disconnectScene(of: app)
        case .performBackgroundFetch(let app): try await phone.system.performBackgroundFetch(of: app)
        case .finishBackgroundTransfers(let session, let app):
            try await phone.system.finishBackgroundTransfers(ofSession: session, in: app)
        case .runBackgroundTask(let task, let app): try await phone.system.runBackgroundTask(task, in: app)
        case .run(let app): throw PhoneError(.noValue, "Only a test can run code in \(app): call run(in:_:).")
        case .openURL(let url, let app): try await phone.openURL(url, in: app)
        case .followLink(let url): try await phone.followLink(url)
        case .chooseShortcut(let type, let app):
            guard let item = phone.shortcutItems(of: app).first(where: { $0.type == type }) else {
                throw PhoneError(.noValue, "\(app) has put no entry \(type) in the menu over its icon.")
            }
            try await phone.chooseShortcut(item, of: app)
        case .openNotificationSettings(let app, let notification):
            try await phone.openNotificationSettings(of: app, from: notification)
        case .handOff(let type, let app): try await phone.handOff(NSUserActivity(activityType: type), to: app)
        case .tap(let notification, let app): try await phone.tap(notification, in: app)
        case .dismiss(let notification, let app): try await phone.dismiss(notification, in: app)
        case .clearAll(let app): try phone.clearAll(of: app)
        case .expand(let notification, let app): try await phone.screen.expand(notification, in: app)
        case .choose(let action, let notification, let app, let text):
            try await phone.choose(action, on: notification, in: app, text: text)
        case .swipeAwayBanner: phone.swipeAwayBanner()
        case .collapse: phone.screen.collapse()
        case .pressMediaButton: try await phone.screen.pressMediaButton()
        case .touch(let x, let y, let phase): try await phone.screen.touch(atX: x, y: y, phase: phase)
        case .touchExpanded(let x, let y, let phase): try await phone.screen.touchExpanded(atX: x, y: y, phase: phase)
        case .reveal(let view): try await phone.screen.reveal(view)
        case .type(let text): try await phone.screen.type(text)
        case .answerCall(let call): try await phone.calls.answer(call)
        case .declineCall(let call): try await phone.calls.decline(call)
        case .hangUp(let call): try await phone.calls.hangUp(call)
        case .setFocus(let isOn): phone.settings.setFocus(isOn)
        case .setMuted(let isOn): phone.settings.setMuted(isOn)
        case .setVoiceOver(let isOn): phone.settings.setVoiceOver(isOn)
        case .setReduceMotion(let isOn): phone.settings.setReduceMotion(isOn)
        case .setLowPowerMode(let isOn): phone.settings.setLowPowerMode(isOn)
        case .setBatteryLevel(let level): phone.setBatteryLevel(level)
        case .setDarkMode(let isOn): await phone.settings.setDarkMode(isOn)
        case .setPasscode(let isOn): try phone.settings.setPasscode(isOn)
        case .allowInFocus(let person): phone.settings.allowInFocus(person)
        case .setLocale(let identifier): phone.settings.setLocale(Locale(identifier: identifier))
        case .setTimeZone(let identifier):
            guard let zone = TimeZone(identifier: identifier) else {
                throw PhoneError(.noValue, "There is no time zone \(identifier).")
            }
            phone.settings.setTimeZone(zone)
        case .rotate(let orientation):
            await phone.screen.rotate(to: UIDeviceOrientation(rawValue: orientation) ?? .unknown)
        case .move(let latitude, let longitude):
            phone.move(to: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        case .setBackgroundRefresh(let isOn, let app): try phone.settings.setBackgroundRefresh(isOn, for: app)
        case .setNotificationsAllowed(let isAllowed, let app):
            try phone.settings.setNotificationsAllowed(isAllowed, for: app)
        case .setLocationAllowed(let isAllowed, let app): try phone.settings.setLocationAllowed(isAllowed, for: app)
        case .dismissActivity(let id, let app): try phone.activities.dismiss(id, of: app)
        case .addWidget(let kind, let family, let app):
            guard let family = WidgetFamily(rawValue: family) else {
                throw PhoneError(.noValue, "There is no widget family \(family).")
            }
            try phone.widgets.add(kind, family, of: app)
        case .removeWidget(let id, let app): try phone.widgets.remove(id, of: app)
        case .addControl(let kind, let app): try phone.widgets.addControl(kind, of: app)
        case .removeControl(let id, let app): try phone.widgets.removeControl(id, of: app)
        case .setLiveActivities(let isOn, let app): try phone.activities.set(isOn, for: app)
        case .setFrequentUpdates(let isOn, let app): try phone.activities.setFrequentUpdates(isOn, for: app)
        case .set(let item, let isOn, let app): try phone.settings.set(item, to: isOn, for: app)
        case .changeSettings(let switches, let app): try phone.settings.change(of: app) { $0 = switches }
        }
    }
}
