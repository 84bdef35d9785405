import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The part of a phone that carries out the person's actions; ``ReasonDelivery`` tells apps about them.
@MainActor final class Person {
    let kernel: PhoneKernel
    let traces: Traces
    let device: DeviceState
    let apps: InstalledApps
    let screen: PhoneScreen
    let records: PhoneRecords
    let life: AppLife
    let background: Background
    let notifications: Notifications
    let pushes: Pushes
    let delivery: ReasonDelivery

    /// Makes the part of a phone that carries out the person's actions.
    ///
    /// - Parameters:
    ///   - notifications: the phone's notification center.
    ///   - pushes: the part of the phone that handles pushes; it delivers a held-back silent push when the person opens the app.
    init(notifications: Notifications, pushes: Pushes) {
        kernel = notifications.kernel
        traces = notifications.traces
        device = notifications.device
        apps = notifications.apps
        screen = notifications.screen
        records = notifications.records
        life = notifications.life
        background = notifications.background
        self.notifications = notifications
        self.pushes = pushes
        delivery = ReasonDelivery(notifications: notifications)
    }

    // MARK: apps

    /// Opens the app.
    ///
    /// - Throws: ``PhoneError`` if the phone is off or locked.
    func open(_ app: InstalledApp, for reason: OpeningReason? = nil) async throws(PhoneError) {
        try device.checkUsable()
        screen.hideBanner()
        await bringToFront(app, for: reason)
    }

    /// Brings the app to the front, launches it if necessary, and tells it the reason.
    func bringToFront(_ app: InstalledApp, for reason: OpeningReason? = nil) async {
        let bundleID = app.bundle.bundleID
        if let front = screen.frontApp, front != bundleID, let other = apps[front] { await life.sendToBack(other) }
        life.wasAskedFor(app)
        screen.show(app: bundleID)
        let wasRunning = life.process(of: app) != nil
        let hadScene = life.process(of: app)?.application.connectedScenes.isEmpty == false
        let process: AppProcess
        if let running = life.process(of: app) {
            process = running
            running.gate.setInFront(true)
            life.resumed(running)
            if running.applicationState == .background { await life.enterForeground(running, for: reason) }
        } else {
            process = await life.launch(app, options: delivery.launchOptions(for: reason, app), isInFront: true)
            if app.bundle.usesScenes { await life.enterForeground(process, for: reason) }
        }
        guard !process.hasEndedForMistake else { return kernel.changed(.screen) }
        await delivery.deliver(reason, to: process, wasLaunchedForIt: !wasRunning, hadScene: hadScene)
        await life.activate(process)
        pushes.releaseHeldPush(of: app)
        notifications.showWaitingPermissionSheet(for: app)
        kernel.changed(.screen)
    }

    func pressHome() async {
        screen.leaveSettings()
        guard let front = screen.frontApp, let app = apps[front] else { return }
        screen.show(app: nil)
        await life.sendToBack(app)
        kernel.changed(.screen)
    }

    func openSettings() async throws(PhoneError) {
        try device.checkUsable()
        screen.hideBanner()
        let front = screen.frontApp.flatMap { apps[$0] }
        screen.showSettings()
        if let front { await life.sendToBack(front) }
    }

    func forceQuit(_ app: InstalledApp) async {
        let bundleID = app.bundle.bundleID
        if screen.frontApp == bundleID {
            screen.show(app: nil)
            await life.sendToBack(app)
        }
        await life.forceQuit(app)
        pushes.dropHeldPush(of: app)
        kernel.changed(.lifeCycle(bundleID: bundleID))
        kernel.changed(.screen)
    }

    // MARK: the lock

    func lock() async {
        guard !device.isLocked else { return }
        device.wasLocked()
        screen.lock()
        if let front = screen.frontApp, let app = apps[front] { await life.sendToBack(app) }
        if device.closeProtectedFiles() { life.announceClosingOfFiles() }
    }

    func unlock() async {
        guard device.isLocked, device.isPoweredOn else { return }
        device.wasUnlocked()
        screen.closeAuthenticationSheet()
        for folder in apps.folders { ClosedFiles.open(folder) }
        if device.openProtectedFiles() { life.announceOpeningOfFiles() }
        notifications.leaveLockScreen()
        kernel.changed(.screen)
        if let front = screen.frontApp, let app = apps[front] { await bringToFront(app) }
    }

    /// Unlocks the phone, if it is locked, and shows the home screen instead of the app that was in front.
    func unlockForUse() async {
        guard device.isLocked else { return }
        screen.show(app: nil)
        await unlock()
    }
}
