import Foundation

extension Phone {
    /// Erases all content and settings: afterwards the phone is on and unlocked, without apps, as it was when new.
    ///
    /// The device tokens of its apps are no longer valid (rule 7). ``traces`` stay, since they are the test's.
    public func erase() async {
        await powerOff()
        for bundleID in installedApps { try? await uninstall(bundleID) }
        try? FileManager.default.removeItem(at: folder)
        forgetSettings()
        forgetRecords()
        summary = []
        location = nil
        copiedText = nil
        isLocked = false
        hasBeenUnlocked = true
        protection = DataProtection(hasPasscode: protection.hasPasscode)
        await boot()
        changed(.apps)
    }

    private func forgetSettings() {
        (isFocusOn, isMuted, isLowPowerModeOn) = (false, false, false)
        (isVoiceOverRunning, isReduceMotionOn, isDarkModeOn) = (false, false, false)
        peopleAllowedInFocus = []
        summaryHours = IOSLimits.summaryHours
        locale = firstLocale
        // Airplane Mode is a setting too.
        network.isOnline = true
    }

    private func forgetRecords() {
        sounds = []
        openedURLs = []
        deviceEvents = []
        donations = []
    }
}
