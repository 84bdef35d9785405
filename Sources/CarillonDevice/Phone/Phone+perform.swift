import CarillonCore
import CoreLocation
import Foundation
import UIKit

extension Phone {
    /// Performs an action by calling the method of its name.
    ///
    /// - Throws: the method's errors; ``PhoneError`` (`noValue`) for actions whose code only a test has, such as to run code
    ///   in an app.
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
        case .openSettings: try await phone.openSettings()
        case .takeScreenshot: await phone.takeScreenshot()
        case .endInterruption: await phone.endInterruption()
        case .announceSignificantTimeChange: phone.announceSignificantTimeChange()
        case .interrupt(let interruption): try await phone.interrupt(with: interruption)
        case .answerPermission(let allow): try await phone.answerPermission(allow: allow)
        case .authenticate(let isOwner): try await phone.authenticate(isOwner)
        default: try await performWithApp(phone)
        }
    }

    private func performWithApp(_ phone: Phone) async throws {
        switch self {
        case .install(let app): phone.install(try phone.apps.installed(app).bundle)
        case .uninstall(let app): try await phone.uninstall(app)
        case .openApp(let app): try await phone.openApp(app)
        case .forceQuit(let app): try await phone.forceQuit(app)
        case .terminateBySystem(let app): try phone.terminateBySystem(app)
        case .warnOfMemory(let app): try await phone.warnOfMemory(app)
        case .disconnectScene(let app): try await phone.disconnectScene(of: app)
        case .performBackgroundFetch(let app): try await phone.performBackgroundFetch(of: app)
        case .finishBackgroundTransfers(let session, let app):
            try await phone.finishBackgroundTransfers(ofSession: session, in: app)
        case .runBackgroundTask(let task, let app): try await phone.runBackgroundTask(task, in: app)
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
        default: try await performOnScreen(phone)
        }
    }

    private func performOnScreen(_ phone: Phone) async throws {
        switch self {
        case .tap(let notification, let app): try await phone.tap(notification, in: app)
        case .dismiss(let notification, let app): try await phone.dismiss(notification, in: app)
        case .expand(let notification, let app): try await phone.expand(notification, in: app)
        case .choose(let action, let notification, let app, let text):
            try await phone.choose(action, on: notification, in: app, text: text)
        case .swipeAwayBanner: phone.swipeAwayBanner()
        case .collapse: phone.collapse()
        case .pressMediaButton: try await phone.pressMediaButton()
        case .touch(let x, let y, let phase): try await phone.touch(atX: x, y: y, phase: phase)
        case .touchExpanded(let x, let y, let phase): try await phone.touchExpanded(atX: x, y: y, phase: phase)
        case .reveal(let view): try await phone.reveal(view)
        case .type(let text): try await phone.type(text)
        case .answerCall(let call): try await phone.answerCall(call)
        case .declineCall(let call): try await phone.declineCall(call)
        case .hangUp(let call): try await phone.hangUp(call)
        default: try await performInSettings(phone)
        }
    }

    private func performInSettings(_ phone: Phone) async throws {
        switch self {
        case .setFocus(let isOn): phone.setFocus(isOn)
        case .setMuted(let isOn): phone.setMuted(isOn)
        case .setVoiceOver(let isOn): phone.setVoiceOver(isOn)
        case .setReduceMotion(let isOn): phone.setReduceMotion(isOn)
        case .setLowPowerMode(let isOn): phone.setLowPowerMode(isOn)
        case .setDarkMode(let isOn): await phone.setDarkMode(isOn)
        case .setPasscode(let isOn): try phone.setPasscode(isOn)
        case .allowInFocus(let person): phone.allowInFocus(person)
        case .setLocale(let identifier): phone.setLocale(Locale(identifier: identifier))
        case .rotate(let orientation): await phone.rotate(to: UIDeviceOrientation(rawValue: orientation) ?? .unknown)
        case .move(let latitude, let longitude):
            phone.move(to: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        case .setBackgroundRefresh(let isOn, let app): try phone.setBackgroundRefresh(isOn, for: app)
        case .setNotificationsAllowed(let isAllowed, let app): try phone.setNotificationsAllowed(isAllowed, for: app)
        case .setLocationAllowed(let isAllowed, let app): try phone.setLocationAllowed(isAllowed, for: app)
        case .set(let item, let isOn, let app): try phone.set(item, to: isOn, for: app)
        case .changeSettings(let switches, let app): try phone.changeSettings(of: app) { $0 = switches }
        default: preconditionFailure("\(self) is among no group of actions")
        }
    }
}
