import CarillonCore
import Foundation
@_spi(Simulation) import UIKit

/// Files that a locked phone keeps closed (rule 38).
extension Phone {
    /// Whether files with complete protection can be read: what `isProtectedDataAvailable` says in every app.
    public var isProtectedDataAvailable: Bool { protection.isAvailable || !rules.keeps(.lockClosesProtectedFiles) }

    /// Whether a passcode is set; without one protected files are never closed.
    public var hasPasscode: Bool { protection.hasPasscode }

    /// Sets or removes the passcode, in Settings → Face ID & Passcode.
    ///
    /// - Throws: ``PhoneError`` (`phoneLocked`, `phoneOff`).
    public func setPasscode(_ isOn: Bool) throws(PhoneError) {
        try checkUsable()
        protection.hasPasscode = isOn
        changed(.screen)
    }

    /// What an app that is called now should know.
    func noteProtectedFiles(_ number: Int) {
        if !isProtectedDataAvailable { note("the phone is locked: protected files cannot be read", in: number) }
    }

    /// The phone was locked: what runs is told, and has 10 seconds.
    func closeProtectedFiles() {
        guard protection.locked() else { return }
        announce(UIApplication.protectedDataWillBecomeUnavailableNotification) { process in
            let application = process.application
            process.missesProtectedData = true
            application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
        }
        protectionTimer = schedule(afterSeconds: rules.protectedDataSeconds) { phone in
            phone.protection.delayIsOver()
            phone.changed(.screen)
        }
    }

    /// The phone was unlocked: what runs is told, and so is, when it runs again, what had learnt that they were closed.
    func openProtectedFiles() {
        protectionTimer?.cancel()
        protectionTimer = nil
        guard protection.unlocked() else { return }
        announce(UIApplication.protectedDataDidBecomeAvailableNotification) { process in
            let application = process.application
            process.missesProtectedData = false
            application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
        } owedTo: {
            $0.missesProtectedData
        }
    }

    func switchOffProtectedFiles() {
        protectionTimer?.cancel()
        protectionTimer = nil
        protection.switchedOff()
    }
}
