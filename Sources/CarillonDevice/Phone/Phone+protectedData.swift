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

    /// The phone was switched on: until its first unlock no app can read its files, with a passcode.
    ///
    /// Apple's [page](https://developer.apple.com/documentation/foundation/fileprotectiontype/completeuntilfirstuserauthentication)
    /// says which: all that are not exempt.
    func closeFiles() {
        guard hasPasscode, rules.keeps(.lockClosesProtectedFiles) else { return }
        for folder in appFolders { ClosedFiles.close(folder) }
    }

    func openFiles() { for folder in appFolders { ClosedFiles.open(folder) } }

    private var appFolders: [URL] {
        apps.values.flatMap { app in
            [app.containers.own.deletingLastPathComponent()]
                + app.bundle.appGroups.sorted().map { app.containers.directory(appGroup: $0) }
        }
    }

    /// Another one on each phone, and the same for all of a phone's life.
    var vendorIdentifier: UUID {
        var random = SeededGenerator(seed: id.utf8.reduce(17) { $0 &* 31 &+ UInt64($1) })
        let (high, low) = (random.next(), random.next())
        func byte(_ number: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }

    /// The phone was unlocked: what runs is told, and so is, when it runs again, what had learnt that they were closed.
    func openProtectedFiles() {
        protectionTimer?.cancel()
        protectionTimer = nil
        openFiles()
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
