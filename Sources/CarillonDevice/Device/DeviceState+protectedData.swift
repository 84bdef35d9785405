import CarillonCore

/// Files that a locked phone keeps closed (rule 38).
extension DeviceState {
    var isProtectedDataAvailable: Bool {
        protection.isAvailable || !kernel.rules.keeps(.lockClosesProtectedFiles)
    }

    /// Whether until its first unlock no app can read its files: after it was switched on, with a passcode.
    ///
    /// Apple's [page](https://developer.apple.com/documentation/foundation/fileprotectiontype/completeuntilfirstuserauthentication)
    /// says which: all that are not exempt.
    var closesAllFiles: Bool {
        !hasBeenUnlocked && protection.hasPasscode && kernel.rules.keeps(.lockClosesProtectedFiles)
    }

    /// Closes protected files 10 seconds after the phone was locked.
    ///
    /// - Returns: whether apps are to be told.
    func closeProtectedFiles() -> Bool {
        guard protection.locked() else { return false }
        protectionTimer = kernel.schedule(afterSeconds: kernel.rules.protectedDataSeconds) { [weak self] in
            self?.protection.delayIsOver()
            self?.kernel.changed(.screen)
        }
        return true
    }

    /// Opens protected files after the phone was unlocked.
    ///
    /// - Returns: whether apps are to be told that their files are back.
    func openProtectedFiles() -> Bool {
        stopProtectionTimer()
        return protection.unlocked()
    }

    func stopProtectionTimer() {
        protectionTimer?.cancel()
        protectionTimer = nil
    }
}
