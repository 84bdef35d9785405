import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What a person does with the phone itself.
extension Phone {
    /// Taps the app's icon. The phone must be unlocked.
    public func openApp(_ bundleID: String) async throws {
        let app = try installed(bundleID)
        try checkUsable()
        hideBanner()
        await bringToFront(app)
    }

    /// Back to the home screen.
    public func pressHome() async {
        guard let front = frontApp, let app = apps[front] else { return }
        frontApp = nil
        interruption = nil
        await sendToBack(app)
        changed(.screen)
    }

    /// The side button: the front app leaves the screen, what arrives goes to the lock screen, and after 10 s protected
    /// files cannot be read any more (rule 38).
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

    /// With face or code: the app that was in front is so again.
    public func unlock() async {
        guard isLocked, isPoweredOn else { return }
        isLocked = false
        hasBeenUnlocked = true
        openProtectedFiles()
        for app in apps.values { app.list.leaveLockScreen() }
        changed(.screen)
        if let front = frontApp, let app = apps[front] { await bringToFront(app) }
    }

    /// Swipes the app out of the app switcher: it ends, and is not launched again until the person opens it or the phone
    /// restarts (rule 15). A held silent push is lost (rule 17). Its scene, if it has one, is discarded, which it is told
    /// at its next launch.
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

    /// The system needs the memory: the app ends without a word, and may be launched again by a push.
    public func terminateBySystem(_ bundleID: String) throws(PhoneError) { end(try installed(bundleID)) }

    /// Answers the permission sheet on the screen.
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

    /// Settings → Notifications → the app → Allow Notifications.
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
