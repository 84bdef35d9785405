import CarillonCore
import Foundation
import UIKit

extension Phone {
    /// Switches the phone on and connects it to the push service; what fell due while it was off comes now.
    ///
    /// A phone is on and unlocked from the start; without a link there is nothing to connect.
    public func boot() async {
        isPoweredOn = true
        if !hasBeenUnlocked { closeFiles() }
        fireDue()
        if !upcomingSummary.isEmpty { awaitSummary() }
        await connect()
        changed(.screen)
    }

    /// Switched off and on again: no app runs, force-quits are forgotten (rule 15), and the phone is locked.
    public func restart() async {
        await powerOff()
        for app in apps.values { app.isForceQuit = false }
        await boot()
    }

    /// Switches the phone off: no app runs any more, and nothing arrives.
    ///
    /// Notifications, badges and tokens stay.
    public func powerOff() async {
        await disconnect()
        for app in apps.values { end(app) }
        for process in extensions.values { process.end() }
        expansion = nil
        isPoweredOn = false
        isLocked = true
        hasBeenUnlocked = false
        switchOffProtectedFiles()
        interruption = nil
        frontApp = nil
        isInSettings = false
        permissionSheet = nil
        authenticationSheet = nil
        hideBanner()
        changed(.screen)
    }

    /// Ends everything: apps, timers, tasks and the connection.
    ///
    /// The phone cannot be used afterwards.
    public func shutDown() async {
        await powerOff()
        dueTimer?.cancel()
        budgetTimer?.cancel()
        midnightTimer?.cancel()
        summaryTimer?.cancel()
        tasks.cancelAll()
        observers.finish()
    }

    /// Takes the phone's network away, as Airplane Mode does; the push service keeps what comes.
    public func goOffline() async {
        network.isOnline = false
        await link?.disconnect(phone: id)
        changed(.network)
    }

    /// Gives the network back: what the push service has kept arrives, and apps that wait for a token get it.
    public func goOnline() async {
        network.isOnline = true
        await connect()
        changed(.network)
    }

    private func connect() async {
        guard isPoweredOn, isOnline else { return }
        await link?.connect(phone: id) { [mailbox] push in mailbox.post { $0.arrived(push) } }
        for app in apps.values where app.isWaitingForToken { fetchToken(for: app) }
    }

    private func disconnect() async { await link?.disconnect(phone: id) }

    // MARK: the person's switches

    /// Turns a Focus on or off: while it is on, only notifications that break through show a banner or make a sound.
    public func setFocus(_ isOn: Bool) {
        isFocusOn = isOn
        changed(.screen)
    }

    /// Sets the ring switch: a muted phone plays no sound, except a critical alert's.
    public func setMuted(_ isOn: Bool) {
        isMuted = isOn
        changed(.screen)
    }

    /// Turns VoiceOver on or off, and tells running apps.
    public func setVoiceOver(_ isOn: Bool) {
        isVoiceOverRunning = isOn
        announce(UIAccessibility.voiceOverStatusDidChangeNotification)
        changed(.screen)
    }

    /// Turns Reduce Motion on or off, and tells running apps.
    public func setReduceMotion(_ isOn: Bool) {
        isReduceMotionOn = isOn
        announce(UIAccessibility.reduceMotionStatusDidChangeNotification)
        changed(.screen)
    }

    /// Turns Low Power Mode on or off: silent pushes that it has held are delivered when it is turned off (rule 35).
    public func setLowPowerMode(_ isOn: Bool) {
        isLowPowerModeOn = isOn
        changed(.screen)
        if !isOn { releaseHeldPushes() }
    }

    /// Sets Settings → General → Background App Refresh for the app; without it silent pushes do not wake it (rule 35).
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setBackgroundRefresh(_ isOn: Bool, for bundleID: String) throws(PhoneError) {
        try installed(bundleID).isBackgroundRefreshOn = isOn
        announce(UIApplication.backgroundRefreshStatusDidChangeNotification)
        changed(.lifeCycle(bundleID: bundleID))
    }
}
