import CarillonCore
import Foundation
import UIKit

extension Phone {
    /// Covers the app in front, by a call or what the person pulls over the screen: it becomes inactive.
    ///
    /// It stays in the foreground, until ``endInterruption()`` or until the person goes somewhere else.
    ///
    /// - Throws: ``PhoneError``: off, or locked.
    public func interrupt(with interruption: Interruption) async throws(PhoneError) {
        try checkUsable()
        self.interruption = interruption
        changed(.screen)
        if let front = frontApp, let process = apps[front]?.process { await resignActive(process) }
    }

    /// Uncovers the app in front, which becomes active again.
    public func endInterruption() async {
        guard interruption != nil else { return }
        interruption = nil
        changed(.screen)
        guard let front = frontApp, let app = apps[front], let process = app.process else { return }
        await activate(process)
        showWaitingPermissionSheet(for: app)
    }
}
