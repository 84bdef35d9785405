import CarillonCore
import Foundation
@_spi(Simulation) import UIKit

/// What the system tells running apps about the phone.
extension Phone {
    /// Runs short of memory: the app is told, if it runs.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func warnOfMemory(_ bundleID: String) async throws {
        guard let process = try installed(bundleID).process, process.gate.phase == .running else { return }
        await call(process) {
            let application = process.application
            application.delegate?.applicationDidReceiveMemoryWarning(application)
            NotificationCenter.default.post(
                name: UIApplication.didReceiveMemoryWarningNotification, object: application)
            for window in application.windows { window.rootViewController?.warnOfMemory() }
        }
    }

    /// Tells apps of a significant change of the time: a new time zone, or a clock that was set.
    ///
    /// Suspended apps are told when they run again. The phone does it by itself at midnight.
    public func announceSignificantTimeChange() {
        announce(UIApplication.significantTimeChangeNotification) { process in
            let application = process.application
            application.delegate?.applicationSignificantTimeChange(application)
        } owedTo: { _ in
            true
        }
    }

    /// Takes a screenshot, of which the app in front is told afterwards.
    public func takeScreenshot() async {
        guard let front = frontApp, let process = apps[front]?.process else { return }
        await call(process) {
            NotificationCenter.default.post(
                name: UIApplication.userDidTakeScreenshotNotification, object: process.application)
        }
    }

    /// Tells every app that runs, in its next turn.
    ///
    /// - Parameters:
    ///   - name: the notification that is posted.
    ///   - tell: calls the app's delegate; the default calls nothing.
    ///   - isOwed: whether a suspended app is told when it runs again, once; else it never learns of it.
    func announce(
        _ name: Notification.Name, _ tell: @escaping @MainActor (AppProcess) -> Void = { _ in },
        owedTo isOwed: @MainActor (AppProcess) -> Bool = { _ in false }
    ) {
        for process in apps.values.compactMap(\.process) {
            let isRunning = process.gate.phase == .running
            guard isRunning || isOwed(process) && process.owedAnnouncements.insert(name).inserted else { continue }
            ProcessScheduler.shared.run(as: process) {
                process.owedAnnouncements.remove(name)
                tell(process)
                NotificationCenter.default.post(name: name, object: process.application)
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
