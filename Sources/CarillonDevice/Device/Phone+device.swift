import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UserNotifications

/// Power, network and place.
extension Phone {
    /// Switches the phone on and connects it to the push service; what fell due while it was off comes now.
    ///
    /// A phone is on and unlocked from the start; without a link there is nothing to connect.
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

    /// Switches the phone off and on: no app runs, force-quits are forgotten (rule 15), and the phone is locked.
    public func restart() async {
        await kernel.doing(.restart) { () async -> Void in
            await powerOff()
            life.forgetForceQuits()
            await boot()
        }
    }

    /// Switches the phone off: no app runs any more, and nothing arrives.
    ///
    /// Notifications, badges and tokens stay.
    public func powerOff() async {
        await kernel.doing(.powerOff) { () async -> Void in
            await connection.disconnect()
            life.endAll()
            apps.preferences.forgetAll()
            device.switchedOff()
            screenState.switchOff()
            kernel.changed(.screen)
        }
    }

    /// Ends everything: apps, timers, tasks and the connection.
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

    /// Takes the phone's network away, as Airplane Mode does; the push service keeps new pushes.
    public func goOffline() async {
        await kernel.doing(.goOffline) { () async -> Void in
            device.network.isOnline = false
            await connection.disconnect()
            kernel.changed(.network)
        }
    }

    /// Restores the network: pushes kept by the push service arrive, and apps that wait for a token get it.
    public func goOnline() async {
        await kernel.doing(.goOnline) { () async -> Void in
            device.network.isOnline = true
            await connect()
            kernel.changed(.network)
        }
    }

    private func connect() async { await connection.connect { [weak pushes] push in pushes?.arrived(push) } }

    /// Erases all content and settings: afterwards the phone is on and unlocked, without apps, as it was when new.
    ///
    /// The device tokens of its apps are no longer valid (rule 7). ``traces`` stay, since they are the test's.
    public func erase() async {
        await kernel.doing(.erase) { () async -> Void in
            await powerOff()
            for bundleID in installedApps { try? await uninstall(bundleID) }
            try? FileManager.default.removeItem(at: apps.folder)
            device.erase()
            records.forgetAll()
            notifications.summary = []
            await boot()
            kernel.changed(.apps)
        }
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
