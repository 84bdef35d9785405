import CarillonCore
import Foundation
@_spi(Simulation) import UIKit

/// What the system tells running apps about the phone.
extension Phone {
    /// The phone is short of memory: the app is told, if it runs.
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

    /// Midnight has passed, which the phone notices by itself, the time zone has changed, or the clock was set: running
    /// apps are told, suspended ones once they run again.
    public func announceSignificantTimeChange() {
        announce(UIApplication.significantTimeChangeNotification) { process in
            let application = process.application
            application.delegate?.applicationSignificantTimeChange(application)
        } owedTo: { _ in
            true
        }
    }

    /// The person takes a screenshot: the app in front is told afterwards.
    public func takeScreenshot() async {
        guard let front = frontApp, let process = apps[front]?.process else { return }
        await call(process) {
            NotificationCenter.default.post(
                name: UIApplication.userDidTakeScreenshotNotification, object: process.application)
        }
    }

    /// Tells every app that runs, in its next turn.
    ///
    /// - Parameter isOwed: whether a suspended app is told when it runs again, once; else it never learns of it.
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
