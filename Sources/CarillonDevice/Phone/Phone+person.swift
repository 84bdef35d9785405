import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What a person does with the phone itself.
extension Phone {
    /// Taps the app's icon.
    ///
    /// - Throws: ``PhoneError``: off, locked, or the app is not installed.
    public func openApp(_ bundleID: String) async throws {
        let app = try installed(bundleID)
        try checkUsable()
        hideBanner()
        await bringToFront(app)
    }

    /// Goes to the home screen; the app that was in front goes to the background.
    public func pressHome() async {
        if isInSettings {
            isInSettings = false
            changed(.screen)
        }
        guard let front = frontApp, let app = apps[front] else { return }
        frontApp = nil
        interruption = nil
        await sendToBack(app)
        changed(.screen)
    }

    /// Presses the side button: the app in front leaves the screen, and what arrives goes to the lock screen.
    ///
    /// After 10 s protected files cannot be read any more (rule 38).
    public func lock() async {
        guard !isLocked else { return }
        isLocked = true
        interruption = nil
        collapse()
        hideBanner()
        changed(.screen)
        if let front = frontApp, let app = apps[front] { await sendToBack(app) }
        closeProtectedFiles()
    }

    /// Unlocks the phone; the app that was in front is in front again.
    public func unlock() async {
        guard isLocked, isPoweredOn else { return }
        isLocked = false
        hasBeenUnlocked = true
        closeAuthenticationSheet()
        openProtectedFiles()
        for app in apps.values { app.list.leaveLockScreen() }
        changed(.screen)
        if let front = frontApp, let app = apps[front] { await bringToFront(app) }
    }

    /// Swipes the app out of the app switcher: it ends, and no push launches it until the person opens it (rule 15).
    ///
    /// A restart of the phone lets pushes launch it, too. A held silent push is lost (rule 17). Its scene, if it has
    /// one, is discarded, which it is told at its next launch.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func forceQuit(_ bundleID: String) async throws {
        let app = try installed(bundleID)
        if frontApp == bundleID {
            frontApp = nil
            await sendToBack(app)
        }
        if let process = app.process, process.gate.phase == .running {
            if app.bundle.usesScenes { await call(process) { Self.disconnectScenes(of: process) } }
            await tell(process, .willTerminate)
        }
        discardScene(of: app)
        end(app)
        app.isForceQuit = true
        if let held = app.held {
            log.update(held.log) {
                $0.notes.append("the held push was lost: the person force-quit the app")
                $0.isFinished = true
            }
            app.held = nil
        }
        changed(.lifeCycle(bundleID: bundleID))
        changed(.screen)
    }

    /// Ends the app as the system does that needs its memory: it is not told, and a push may launch it again.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func terminateBySystem(_ bundleID: String) throws(PhoneError) { end(try installed(bundleID)) }

    /// Answers the permission sheet on the screen.
    ///
    /// - Throws: ``PhoneError`` (`noPermissionSheet`) where there is none.
    public func answerPermission(allow: Bool) async throws {
        guard let sheet = permissionSheet, let app = apps[sheet.bundleID] else {
            throw PhoneError(
                .noPermissionSheet,
                "No permission sheet is on the screen of \(name): no app in front has asked for the first time.")
        }
        permissionSheet = nil
        let waiters = app.permissionWaiters
        app.permissionWaiters = []
        app.permission.answered(
            allow: allow, options: waiters.reduce(into: UNAuthorizationOptions()) { $0.formUnion($1.options) })
        changed(.permission(bundleID: sheet.bundleID))
        changed(.screen)
        for waiter in waiters { waiter.answer(allow) }
        if let process = app.process { await activate(process) }
    }

    /// Sets Settings → Notifications → the app → Allow Notifications, also for an app that never asked.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setNotificationsAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try installed(bundleID).permission.setAllowed(isAllowed)
        changed(.permission(bundleID: bundleID))
    }

    func checkUsable() throws(PhoneError) {
        try checkPoweredOn()
        guard !isLocked else { throw PhoneError(.phoneLocked, "\(name) is locked: unlock it first.") }
    }

    func checkPoweredOn() throws(PhoneError) {
        guard isPoweredOn else { throw PhoneError(.phoneOff, "\(name) is off: switch it on first.") }
    }
}
