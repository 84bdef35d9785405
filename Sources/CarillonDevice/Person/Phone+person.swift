import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The actions of a person on the phone itself.
extension Phone {
    /// Taps the app's icon.
    ///
    /// - Throws: ``PhoneError``: off, locked, or the app is not installed.
    public func openApp(_ bundleID: String) async throws {
        try await kernel.doing(.openApp(bundleID)) { () async throws -> Void in
            try await person.open(apps.installed(bundleID))
        }
    }

    /// Goes to the home screen; the app that was in front goes to the background.
    public func pressHome() async {
        await kernel.doing(.pressHome) { () async -> Void in
            await person.pressHome()
        }
    }

    /// Presses the side button: the app in front leaves the screen, and new notifications go to the lock screen.
    ///
    /// After 10 s protected files cannot be read any more (rule 38).
    public func lock() async {
        await kernel.doing(.lock) { () async -> Void in
            await person.lock()
        }
    }

    /// Unlocks the phone; the app that was in front is in front again.
    public func unlock() async {
        await kernel.doing(.unlock) { () async -> Void in
            await person.unlock()
        }
    }

    /// Swipes the app out of the app switcher: it ends, and no push launches it until the person opens it (rule 15).
    ///
    /// A restart of the phone lets pushes launch it, too. A held silent push is lost (rule 17). Its scene, if it has
    /// one, is discarded, which it is told at its next launch.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func forceQuit(_ bundleID: String) async throws {
        try await kernel.doing(.forceQuit(bundleID)) { () async throws -> Void in
            await person.forceQuit(try apps.installed(bundleID))
        }
    }

    /// Answers the permission sheet on the screen.
    ///
    /// - Throws: ``PhoneError`` (`noPermissionSheet`) where there is none.
    public func answerPermission(allow: Bool) async throws {
        try await kernel.doing(.answerPermission(allow)) { () async throws -> Void in
            try await notifications.answerPermission(allow: allow)
        }
    }

    /// Takes a screenshot and tells the app in front afterwards.
    public func takeScreenshot() async {
        await kernel.doing(.takeScreenshot) { () async -> Void in
            guard let process = life.processInFront else { return }
            await kernel.call(process, "userDidTakeScreenshot") {
                NotificationCenter.default.postInOrder(
                    name: UIApplication.userDidTakeScreenshotNotification, object: process.application)
            }
        }
    }
}
