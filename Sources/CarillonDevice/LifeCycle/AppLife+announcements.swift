import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The system's announcements to running apps, such as memory warnings and time changes.
extension AppLife {
    /// Sends the app a memory warning; does nothing if the app does not run, or is suspended before it can handle the warning.
    func warnOfMemory(_ app: InstalledApp) async {
        guard let process = process(of: app), process.gate.phase == .running else { return }
        await kernel.call(process, "didReceiveMemoryWarning", waitsForProcess: false) {
            let application = process.application
            application.delegate?.applicationDidReceiveMemoryWarning(application)
            NotificationCenter.default.postInOrder(
                name: UIApplication.didReceiveMemoryWarningNotification, object: application)
            for window in application.windows { window.rootViewController?.warnOfMemory() }
        }
    }

    func announceSignificantTimeChange() {
        announce(UIApplication.significantTimeChangeNotification) { process in
            let application = process.application
            application.delegate?.applicationSignificantTimeChange(application)
        } owedTo: { _ in
            true
        }
    }

    /// Tells running apps that protected files are about to become unavailable, because the phone was locked.
    func announceClosingOfFiles() {
        announce(UIApplication.protectedDataWillBecomeUnavailableNotification) { process in
            let application = process.application
            process.missesProtectedData = true
            application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
        }
    }

    /// Tells apps that protected files are available again, because the phone was unlocked.
    ///
    /// A suspended app is told when it runs again, if the files were unavailable at its launch, or if it was told that they would
    /// become unavailable.
    func announceOpeningOfFiles() {
        announce(UIApplication.protectedDataDidBecomeAvailableNotification) { process in
            let application = process.application
            process.missesProtectedData = false
            application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
        } owedTo: {
            $0.missesProtectedData
        }
    }

    /// Posts a notification to `NotificationCenter` in every running app, in one app after another.
    ///
    /// - Parameters:
    ///   - name: the notification's name.
    ///   - tell: calls the app's delegate; the default calls nothing.
    ///   - isOwed: returns whether a suspended app receives the notification when it runs again; the default never delivers it.
    func announce(
        _ name: Notification.Name, _ tell: @escaping @MainActor (AppProcess) -> Void = { _ in },
        owedTo isOwed: @MainActor (AppProcess) -> Bool = { _ in false }
    ) {
        for process in appProcesses {
            let isRunning = process.gate.phase == .running
            guard isRunning || isOwed(process) && process.owedAnnouncements.insert(name).inserted else { continue }
            ProcessScheduler.shared.run(as: process, name.rawValue) {
                process.owedAnnouncements.remove(name)
                tell(process)
                NotificationCenter.default.postInOrder(name: name, object: process.application)
            }
        }
    }
}

extension UIViewController {
    fileprivate func warnOfMemory() {
        didReceiveMemoryWarning()
        for child in children { child.warnOfMemory() }
        presentedViewController?.warnOfMemory()
    }
}
