import CarillonCore
import Foundation
import UIKit

extension Phone {
    /// Covers the app in front with a call or a system interface: the app becomes inactive.
    ///
    /// It stays in the foreground, until ``endInterruption()`` or until the person goes somewhere else.
    ///
    /// - Throws: ``PhoneError``: off, or locked.
    public func interrupt(with interruption: Interruption) async throws(PhoneError) {
        try await kernel.doing(.interrupt(interruption)) { () async throws(PhoneError) -> Void in
            try device.checkUsable()
            screenState.cover(with: interruption)
            if let process = life.processInFront { await life.resignActive(process) }
        }
    }

    /// Uncovers the app in front, which becomes active again.
    public func endInterruption() async {
        await kernel.doing(.endInterruption) { () async -> Void in
            guard screenState.interruption != nil else { return }
            screenState.cover(with: nil)
            guard let front = screenState.frontApp, let app = apps[front], let process = life.process(of: app) else {
                return
            }
            await life.activate(process)
            notifications.showWaitingPermissionSheet(for: app)
        }
    }
}
