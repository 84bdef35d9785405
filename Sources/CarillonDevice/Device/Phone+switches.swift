import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UIKit

/// The phone's switches, the way it is held, and its location.
extension Phone {
    // MARK: switches

    /// Turns a Focus on or off: while it is on, only notifications that break through show a banner or make a sound.
    public func setFocus(_ isOn: Bool) {
        kernel.doingAtOnce(.setFocus(isOn)) { () -> Void in
            device.settings.isFocusOn = isOn
            kernel.changed(.screen)
        }
    }

    /// Settings → Focus → People: a person whom a Focus lets through.
    ///
    /// - Parameter identifier: the value of the person's handle, or the contact's or the app's own identifier.
    public func allowInFocus(_ identifier: String) {
        kernel.doingAtOnce(.allowInFocus(identifier)) { () -> Void in
            device.settings.peopleAllowedInFocus.insert(identifier)
        }
    }

    /// Sets the ring switch: a muted phone plays no sound, except a critical alert's.
    public func setMuted(_ isOn: Bool) {
        kernel.doingAtOnce(.setMuted(isOn)) { () -> Void in
            device.settings.isMuted = isOn
            kernel.changed(.screen)
        }
    }

    /// Turns VoiceOver on or off, and tells running apps.
    public func setVoiceOver(_ isOn: Bool) {
        kernel.doingAtOnce(.setVoiceOver(isOn)) { () -> Void in
            device.settings.isVoiceOverRunning = isOn
            life.announce(UIAccessibility.voiceOverStatusDidChangeNotification)
            kernel.changed(.screen)
        }
    }

    /// Turns Reduce Motion on or off, and tells running apps.
    public func setReduceMotion(_ isOn: Bool) {
        kernel.doingAtOnce(.setReduceMotion(isOn)) { () -> Void in
            device.settings.isReduceMotionOn = isOn
            life.announce(UIAccessibility.reduceMotionStatusDidChangeNotification)
            kernel.changed(.screen)
        }
    }

    /// Turns Low Power Mode on or off, and tells running apps.
    ///
    /// Silent pushes that it has held are delivered when it is turned off (rule 35).
    public func setLowPowerMode(_ isOn: Bool) {
        kernel.doingAtOnce(.setLowPowerMode(isOn)) { () -> Void in
            device.settings.isLowPowerModeOn = isOn
            life.announce(.NSProcessInfoPowerStateDidChange)
            kernel.changed(.screen)
            if !isOn { pushes.releaseHeldPushes() }
        }
    }

    /// Sets Settings → Display & Brightness: light, or dark.
    ///
    /// The app in front is told at once, others when they come to the front.
    public func setDarkMode(_ isOn: Bool) async {
        await kernel.doing(.setDarkMode(isOn)) { () async -> Void in
            device.settings.isDarkModeOn = isOn
            await tellAppInFront()
            kernel.changed(.screen)
        }
    }

    /// Sets Settings → General → Language & Region.
    ///
    /// As on iOS, apps are ended by it, and find the new language at their next launch.
    ///
    /// - Parameter new: decides how the phone writes time and date, and which way views are laid out
    ///   (`UIView.userInterfaceLayoutDirection(for:)`).
    public func setLocale(_ new: Locale) {
        kernel.doingAtOnce(.setLocale(new.identifier)) { () -> Void in
            guard new != device.settings.locale else { return }
            device.settings.locale = new
            for app in apps.all { life.end(app) }
            kernel.changed(.screen)
        }
    }

    // MARK: surroundings

    /// Rotates the phone.
    ///
    /// The app in front rotates with it, if it supports the orientation; others when they come to the front.
    public func rotate(to orientation: UIDeviceOrientation) async {
        await kernel.doing(.rotate(orientation.rawValue)) { () async -> Void in
            device.orientation = orientation
            await tellAppInFront()
            kernel.changed(.screen)
        }
    }

    private func tellAppInFront() async {
        if let process = life.processInFront { await life.tellSurroundings(process) }
    }

    /// Takes the phone to a place at once.
    ///
    /// Requests fire whose region is entered or left by it, of apps that may use the location.
    /// While the phone is switched off nothing fires, then or later.
    public func move(to place: CLLocationCoordinate2D) {
        kernel.doingAtOnce(.move(latitude: place.latitude, longitude: place.longitude)) { () -> Void in
            let move = LocationChange(from: device.location, to: place)
            device.location = place
            guard isPoweredOn else { return }
            notifications.fireCrossed(by: move)
            kernel.changed(.screen)
        }
    }
}
