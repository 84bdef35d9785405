import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

extension Phone {
    /// Starts the app's process and has it finish launching.
    ///
    /// The caller has a reason for it to run: `isInFront`, or a grant that it takes in `granting`.
    func launch(
        _ app: InstalledApp, options: [UIApplication.LaunchOptionsKey: Any]?, isInFront: Bool,
        granting: (AppProcess) -> Void = { _ in }
    ) async -> AppProcess {
        let process = AppProcess(bundle: app.bundle, containers: app.containers, phone: self, screen: screen)
        process.gate.setInFront(isInFront)
        process.applicationState = isInFront ? .inactive : .background
        process.missesProtectedData = !isProtectedDataAvailable
        granting(process)
        app.process = process
        changed(.lifeCycle(bundleID: app.bundle.bundleID))
        await call(process) {
            let application = process.application
            self.prepareScene(of: process, app)
            let delegate = app.bundle.makeDelegate()
            application.delegate = delegate
            let will = delegate.application(application, willFinishLaunchingWithOptions: options)
            let did = delegate.application(application, didFinishLaunchingWithOptions: options)
            process.takesLaunchReason = will && did
            NotificationCenter.default.post(
                name: UIApplication.didFinishLaunchingNotification, object: application)
            Self.tellOfDiscardedScenes(application, app)
            process.hadCenterDelegateInTime = process.notificationCenter.delegate != nil
        }
        inspectDelegates(of: process, app)
        return process
    }

    /// Brings the app to the front, launching it if need be; the reason reaches it on the way.
    func bringToFront(_ app: InstalledApp, for reason: OpeningReason? = nil) async {
        let bundleID = app.bundle.bundleID
        if let front = frontApp, front != bundleID, let other = apps[front] { await sendToBack(other) }
        app.isForceQuit = false
        interruption = nil
        frontApp = bundleID
        isInSettings = false
        let wasRunning = app.process != nil
        let hadScene = app.process?.application.connectedScenes.isEmpty == false
        let process: AppProcess
        if let running = app.process {
            process = running
            running.gate.setInFront(true)
            resumed(running)
            if running.applicationState == .background { await enterForeground(running, for: reason) }
        } else {
            let options =
                app.bundle.usesScenes || !rules.keeps(.coldTapHasLaunchOptions)
                ? nil : reason?.launchOptions ?? oldLaunchOptions(reason, app)
            process = await launch(app, options: options, isInFront: true)
            if app.bundle.usesScenes { await enterForeground(process, for: reason) }
        }
        await deliver(reason, to: process, wasLaunchedForIt: !wasRunning, hadScene: hadScene)
        await activate(process)
        releaseHeldPush(of: app)
        showWaitingPermissionSheet(for: app)
        changed(.screen)
    }

    private func enterForeground(_ process: AppProcess, for reason: OpeningReason?) async {
        process.applicationState = .inactive
        if process.bundle.usesScenes, process.application.connectedScenes.isEmpty {
            await call(process) { self.connectScene(of: process, for: reason) }
        }
        await tell(process, .willEnterForeground)
    }

    func activate(_ process: AppProcess) async {
        let bundleID = process.bundle.bundleID
        guard process.applicationState == .inactive, frontApp == bundleID, interruption == nil,
            permissionSheet?.bundleID != bundleID
        else { return }
        await tellSurroundings(process)
        process.applicationState = .active
        await tell(process, .didBecomeActive)
    }

    func resignActive(_ process: AppProcess) async {
        guard process.applicationState == .active else { return }
        await tell(process, .willResignActive)
        process.applicationState = .inactive
    }

    /// The app leaves the screen; it runs for a few seconds more, then it is suspended.
    func sendToBack(_ app: InstalledApp) async {
        guard let process = app.process, process.applicationState != .background else { return }
        await resignActive(process)
        process.applicationState = .background
        let grant = process.gate.grant()
        process.backgroundDeadline = max(
            process.backgroundDeadline ?? clock.now, clock.now + .seconds(rules.enteringBackgroundSeconds))
        process.gate.setInFront(false)
        _ = schedule(afterSeconds: rules.enteringBackgroundSeconds) { phone in
            process.gate.take(grant)
            phone.changed(.lifeCycle(bundleID: process.bundle.bundleID))
        }
        await tell(process, .didEnterBackground)
    }

    /// Tells the app's delegate, or its scene's, and posts the notification of the same name, in one turn.
    func tell(_ process: AppProcess, _ event: LifeCycleEvent) async {
        await call(process) { event.tell(process) }
        changed(.lifeCycle(bundleID: process.bundle.bundleID))
    }
}
