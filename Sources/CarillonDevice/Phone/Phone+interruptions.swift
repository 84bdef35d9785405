import CarillonCore
import Foundation
import UIKit

extension Phone {
    /// A call rings, or the person pulls something over the screen: the app in front becomes inactive, and is still in the
    /// foreground. It stays so until ``endInterruption()``, or until the person goes somewhere else.
    public func interrupt(with interruption: Interruption) async throws(PhoneError) {
        try checkUsable()
        self.interruption = interruption
        changed(.screen)
        if let front = frontApp, let process = apps[front]?.process { await resignActive(process) }
    }

    /// The call was declined, or what was pulled down is back up: the app in front is active again.
    public func endInterruption() async {
        guard interruption != nil else { return }
        interruption = nil
        changed(.screen)
        guard let front = frontApp, let app = apps[front], let process = app.process else { return }
        await activate(process)
        showWaitingPermissionSheet(for: app)
    }
}
