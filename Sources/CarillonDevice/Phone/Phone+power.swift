import CarillonCore
import Foundation
import UIKit

extension Phone {
    /// Switches the phone on and connects it to the push service; what fell due while it was off comes now. A phone is on
    /// and unlocked from the start; without a link there is nothing to connect.
    public func boot() async {
        isPoweredOn = true
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

    /// No app runs any more and nothing arrives. The list, the badges and the tokens stay.
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
        permissionSheet = nil
        hideBanner()
        changed(.screen)
    }

    /// Ends everything: apps, timers, tasks and the connection. The phone is of no use afterwards.
    public func shutDown() async {
        await powerOff()
        dueTimer?.cancel()
        budgetTimer?.cancel()
        midnightTimer?.cancel()
        summaryTimer?.cancel()
        tasks.cancelAll()
        observers.finish()
    }

    public func goOffline() async {
        network.isOnline = false
        await link?.disconnect(phone: id)
        changed(.network)
    }

    /// What the push service has kept arrives, and apps that wait for a token get it.
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

    public func setFocus(_ isOn: Bool) {
        isFocusOn = isOn
        changed(.screen)
    }

    public func setMuted(_ isOn: Bool) {
        isMuted = isOn
        changed(.screen)
    }

    public func setVoiceOver(_ isOn: Bool) {
        isVoiceOverRunning = isOn
        announce(UIAccessibility.voiceOverStatusDidChangeNotification)
        changed(.screen)
    }

    public func setReduceMotion(_ isOn: Bool) {
        isReduceMotionOn = isOn
        announce(UIAccessibility.reduceMotionStatusDidChangeNotification)
        changed(.screen)
    }

    /// Silent pushes that were held come through when it is switched off (rule 35).
    public func setLowPowerMode(_ isOn: Bool) {
        isLowPowerModeOn = isOn
        changed(.screen)
        if !isOn { releaseHeldPushes() }
    }

    /// Settings → General → Background App Refresh → this app (rule 35).
    public func setBackgroundRefresh(_ isOn: Bool, for bundleID: String) throws(PhoneError) {
        try installed(bundleID).isBackgroundRefreshOn = isOn
        announce(UIApplication.backgroundRefreshStatusDidChangeNotification)
        changed(.lifeCycle(bundleID: bundleID))
    }
}
