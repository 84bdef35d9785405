import CarillonApp
import CarillonDevice
import Foundation
import UIKit
import UserNotifications

extension AppFixture {
    /// The identifiers of the requests that wait for their time.
    var waiting: [String] { phone.pendingRequests(of: Self.bundleID).map(\.identifier).sorted() }

    var deviceToken: Data { phone.deviceToken(of: Self.bundleID) ?? Data() }

    var badge: Int { phone.badge(of: Self.bundleID) }

    var isSuspended: Bool { phone.runningState(of: Self.bundleID) == .suspended }

    /// The home screen, and the few seconds after it, in which the app is not waited for.
    func leave() async throws {
        await phone.pressHome()
        clock.advance(by: .seconds(6))
    }

    /// Waits until the phone has nothing left to do, though its app may have.
    func rest() async throws { try await phone.settled() }

    func quit() async throws { try await phone.forceQuit(Self.bundleID) }

    func tap(_ identifier: String) async throws { try await phone.tap(identifier, in: Self.bundleID) }

    func choose(_ action: String, on identifier: String, text: String? = nil) async throws {
        try await phone.choose(action, on: identifier, in: Self.bundleID, text: text)
    }

    func set(_ item: NotificationSwitch, to isOn: Bool) throws {
        try phone.settings.set(item, to: isOn, for: Self.bundleID)
    }

    /// The app ends as by a crash.
    func end() throws { try phone.system.terminate(Self.bundleID) }
}
