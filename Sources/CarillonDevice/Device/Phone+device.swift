import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UserNotifications

/// A phone's power, network and location.
extension Phone {
    /// Switches the phone on, connects it to the simulated APNs, and shows the notifications that fell due while it was off.
    ///
    /// A new phone is already on and unlocked. A phone that was made without a ``PushLink`` is not connected.
    public func boot() async {
        await kernel.doing(.boot) { () async -> Void in
            device.switchedOn()
            if device.closesAllFiles { for folder in apps.folders { ClosedFiles.close(folder) } }
            notifications.tidyAttachments()
            notifications.fireDue()
            if !upcomingSummary.isEmpty { notifications.awaitSummary() }
            await connect()
            kernel.changed(.screen)
        }
    }

    /// Restarts the phone: all apps end, the system may launch force-quit apps again, and the phone is locked.
    ///
    /// See ``PhoneRule/forceQuitStopsWakes``.
    public func restart() async {
        await kernel.doing(.restart) { () async -> Void in
            await powerOff()
            life.forgetForceQuits()
            await boot()
        }
    }

    /// Switches the phone off: all apps end, and no push arrives.
    ///
    /// Notifications, badges and tokens stay.
    public func powerOff() async {
        await kernel.doing(.powerOff) { () async -> Void in
            await connection.disconnect()
            life.endAll()
            apps.preferences.forgetAll()
            liveActivities.switchedOff()
            device.switchedOff()
            screenState.switchOff()
            kernel.changed(.screen)
        }
    }

    /// Ends all apps, timers, tasks and the connection.
    ///
    /// The phone cannot be used afterwards.
    public func shutDown() async {
        await powerOff()
        notifications.shutDown()
        pushes.shutDown()
        device.midnightTimer?.cancel()
        kernel.tasks.cancelAll()
        kernel.observers.finish()
    }

    /// Disconnects the phone's network, as Airplane Mode does; the simulated APNs stores new pushes.
    public func goOffline() async {
        await kernel.doing(.goOffline) { () async -> Void in
            device.network.isOnline = false
            await connection.disconnect()
            kernel.changed(.network)
        }
    }

    /// Restores the network: pushes that the simulated APNs has stored arrive, and apps that wait for a token get it.
    public func goOnline() async {
        await kernel.doing(.goOnline) { () async -> Void in
            device.network.isOnline = true
            await connect()
            kernel.changed(.network)
        }
    }

    /// Sets the charge of the battery.
    ///
    /// Below ``PhoneRules/criticalBatteryLevel`` the phone holds silent pushes back until the level rises again.
    ///
    /// - Parameter level: the charge, from 0 to 1. A new phone has a charge of 1.
    public func setBatteryLevel(_ level: Double) {
        kernel.doingAtOnce(.setBatteryLevel(level)) { () -> Void in
            device.batteryLevel = min(max(0, level), 1)
            kernel.changed(.screen)
            if !device.isBatteryCritical { pushes.releaseHeldPushes() }
        }
    }

    /// The charge of the battery, from 0 to 1.
    public var batteryLevel: Double { device.batteryLevel }

    private func connect() async { await connection.connect { [weak pushes] push in pushes?.arrived(push) } }

    /// Erases all content and settings: afterwards the phone is like a new one, on and unlocked, without apps.
    ///
    /// The device tokens of its apps become invalid (``PhoneRule/deletedTokenIsInvalid``). ``traces`` stay, because they belong
    /// to the test.
    public func erase() async {
        await kernel.doing(.erase) { () async -> Void in
            await powerOff()
            for bundleID in installedApps { try? await uninstall(bundleID) }
            try? FileManager.default.removeItem(at: apps.folder)
            device.erase()
            records.forgetAll()
            notifications.erase()
            await boot()
            kernel.changed(.apps)
        }
    }

    /// Moves the phone to a place at once.
    ///
    /// The move fires each location trigger whose region the phone enters or leaves, for apps that may use the location. While
    /// the phone is off, a move fires nothing, not even later.
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
