import CarillonCore
import CoreLocation
import Foundation
import UIKit

extension Phone {
    /// Does what an action says, as the method of its name does.
    ///
    /// - Throws: what that method throws; ``PhoneError`` (`noValue`) for what only a test's code can do, such as to run code in
    ///   an app.
    public func perform(_ action: PhoneAction) async throws {
        switch action {
        case .boot: await boot()
        case .restart: await restart()
        case .powerOff: await powerOff()
        case .goOffline: await goOffline()
        case .goOnline: await goOnline()
        case .erase: await erase()
        case .receive(let push): await receive(push)
        case .pressHome: await pressHome()
        case .lock: await lock()
        case .unlock: await unlock()
        case .openSettings: try await openSettings()
        case .takeScreenshot: await takeScreenshot()
        case .endInterruption: await endInterruption()
        case .announceSignificantTimeChange: announceSignificantTimeChange()
        case .interrupt(let interruption): try await interrupt(with: interruption)
        case .answerPermission(let allow): try await answerPermission(allow: allow)
        case .authenticate(let isOwner): try await authenticate(isOwner)
        default: try await performWithApp(action)
        }
    }

    private func performWithApp(_ action: PhoneAction) async throws {
        switch action {
        case .install(let app): install(try apps.installed(app).bundle)
        case .uninstall(let app): try await uninstall(app)
        case .openApp(let app): try await openApp(app)
        case .forceQuit(let app): try await forceQuit(app)
        case .terminateBySystem(let app): try terminateBySystem(app)
        case .warnOfMemory(let app): try await warnOfMemory(app)
        case .disconnectScene(let app): try await disconnectScene(of: app)
        case .performBackgroundFetch(let app): try await performBackgroundFetch(of: app)
        case .finishBackgroundTransfers(let session, let app):
            try await finishBackgroundTransfers(ofSession: session, in: app)
        case .runBackgroundTask(let task, let app): try await runBackgroundTask(task, in: app)
        case .run(let app): throw PhoneError(.noValue, "Only a test can run code in \(app): call run(in:_:).")
        case .openURL(let url, let app): try await openURL(url, in: app)
        case .followLink(let url): try await followLink(url)
        case .chooseShortcut(let type, let app):
            guard let item = shortcutItems(of: app).first(where: { $0.type == type }) else {
                throw PhoneError(.noValue, "\(app) has put no entry \(type) in the menu over its icon.")
            }
            try await chooseShortcut(item, of: app)
        case .openNotificationSettings(let app, let notification):
            try await openNotificationSettings(of: app, from: notification)
        case .handOff(let type, let app): try await handOff(NSUserActivity(activityType: type), to: app)
        default: try await performOnScreen(action)
        }
    }

    private func performOnScreen(_ action: PhoneAction) async throws {
        switch action {
        case .tap(let notification, let app): try await tap(notification, in: app)
        case .dismiss(let notification, let app): try await dismiss(notification, in: app)
        case .expand(let notification, let app): try await expand(notification, in: app)
        case .choose(let action, let notification, let app, let text):
            try await choose(action, on: notification, in: app, text: text)
        case .swipeAwayBanner: swipeAwayBanner()
        case .collapse: collapse()
        case .pressMediaButton: try await pressMediaButton()
        case .touch(let x, let y, let phase): try await touch(atX: x, y: y, phase: phase)
        case .touchExpanded(let x, let y, let phase): try await touchExpanded(atX: x, y: y, phase: phase)
        case .reveal(let view): try await reveal(view)
        case .type(let text): try await type(text)
        case .answerCall(let call): try await answerCall(call)
        case .declineCall(let call): try await declineCall(call)
        case .hangUp(let call): try await hangUp(call)
        default: try await performInSettings(action)
        }
    }

    private func performInSettings(_ action: PhoneAction) async throws {
        switch action {
        case .setFocus(let isOn): setFocus(isOn)
        case .setMuted(let isOn): setMuted(isOn)
        case .setVoiceOver(let isOn): setVoiceOver(isOn)
        case .setReduceMotion(let isOn): setReduceMotion(isOn)
        case .setLowPowerMode(let isOn): setLowPowerMode(isOn)
        case .setDarkMode(let isOn): await setDarkMode(isOn)
        case .setPasscode(let isOn): try setPasscode(isOn)
        case .allowInFocus(let person): allowInFocus(person)
        case .setLocale(let identifier): setLocale(Locale(identifier: identifier))
        case .rotate(let orientation): await rotate(to: UIDeviceOrientation(rawValue: orientation) ?? .unknown)
        case .move(let latitude, let longitude):
            move(to: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        case .setBackgroundRefresh(let isOn, let app): try setBackgroundRefresh(isOn, for: app)
        case .setNotificationsAllowed(let isAllowed, let app): try setNotificationsAllowed(isAllowed, for: app)
        case .setLocationAllowed(let isAllowed, let app): try setLocationAllowed(isAllowed, for: app)
        case .set(let item, let isOn, let app): try set(item, to: isOn, for: app)
        case .changeSettings(let switches, let app): try changeSettings(of: app) { $0 = switches }
        default: preconditionFailure("\(action) is among no group of actions")
        }
    }
}
