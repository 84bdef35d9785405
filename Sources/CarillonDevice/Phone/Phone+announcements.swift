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

    /// Midnight has passed, the time zone has changed, or the clock was set: running apps are told.
    public func announceSignificantTimeChange() {
        announce(UIApplication.significantTimeChangeNotification) {
            $0.delegate?.applicationSignificantTimeChange($0)
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

    /// Tells every app that runs, in its next turn; a suspended one never learns of it.
    func announce(
        _ name: Notification.Name, _ tell: @escaping @MainActor (UIApplication) -> Void = { _ in }
    ) {
        for process in apps.values.compactMap(\.process) where process.gate.phase == .running {
            Turns.shared.run(as: process) {
                tell(process.application)
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
