@_spi(Simulation) import BackgroundTasks
import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

extension Phone {
    /// The actions that iOS takes on apps by itself, for a test to trigger.
    public var system: System { System(phone: self) }

    /// The actions of iOS on the apps of a phone.
    @MainActor public struct System {
        let phone: Phone
    }
}

extension Phone.System {
    // MARK: background work

    /// Calls an app for a background fetch, as Xcode's Simulate Background Fetch does.
    ///
    /// Apple does not document when iOS fetches, so this phone never starts a fetch by itself.
    ///
    /// - Returns: the number of the entry in ``Phone/traces``; the entry says whether the app was called and, if not, why.
    /// - Throws: ``PhoneError`` if the app is not installed, or the phone is off.
    @discardableResult
    public func performBackgroundFetch(of bundleID: String) async throws(PhoneError) -> Int {
        return try await phone.kernel.doing(.performBackgroundFetch(bundleID)) { () async throws(PhoneError) -> Int in
            let app = try phone.apps.installed(bundleID)
            try phone.device.checkPoweredOn()
            return await phone.background.call(app, for: .fetch) { process, handler in
                let application = process.application
                application.delegate?.application(application) { handler(.init($0)) }
            }.number
        }
    }

    /// Reports the end of the transfers of a background `URLSession` to the app, and resumes or launches the app for this.
    ///
    /// Differs from iOS: Foundation on Linux has no background sessions, so no transfer takes place. The test must provide the
    /// files or data that the app expects, and the phone does not call the session's delegate.
    ///
    /// - Parameters:
    ///   - session: the identifier of the session's configuration.
    ///   - bundleID: the bundle ID of the app.
    /// - Returns: the number of the entry in ``Phone/traces``.
    /// - Throws: ``PhoneError`` if the app is not installed, or the phone is off.
    @discardableResult
    public func finishBackgroundTransfers(
        ofSession session: String, in bundleID: String
    ) async throws(PhoneError) -> Int {
        return try await phone.kernel.doing(.finishBackgroundTransfers(session: session, app: bundleID)) {
            () async throws(PhoneError) -> Int in
            let app = try phone.apps.installed(bundleID)
            try phone.device.checkPoweredOn()
            return await phone.background.call(app, for: .transfers(session: session)) { process, handler in
                let application = process.application
                application.delegate?.application(application, handleEventsForBackgroundURLSession: session) {
                    if !SimulatedDevices.isOnMainThread { process.made(.transfersHandlerOffMain) }
                    handler(.handled)
                }
            }.number
        }
    }

    /// Returns the identifiers of the tasks that an app has submitted and that have not run, in the order of submission.
    public func scheduledTasks(of bundleID: String) -> [String] {
        phone.apps[bundleID].map(phone.background.scheduledTasks)?.all.map(\.request.identifier) ?? []
    }

    /// Runs a task that the app has submitted, as Xcode's debugger can: resumes or launches the app, and calls its launch
    /// handler.
    ///
    /// An app refresh task has 30 seconds, and a processing task 3 minutes. Then the phone calls the task's expiration handler,
    /// and terminates an app whose handler does not end the task.
    ///
    /// - Returns: the number of the entry in ``Phone/traces``; the entry says whether the app was called and, if not, why.
    /// - Throws: ``PhoneError`` if the app is not installed, or the phone is off.
    @discardableResult
    public func runBackgroundTask(_ identifier: String, in bundleID: String) async throws(PhoneError) -> Int {
        return try await phone.kernel.doing(.runBackgroundTask(identifier, app: bundleID)) {
            () async throws(PhoneError) -> Int in
            let app = try phone.apps.installed(bundleID)
            try phone.device.checkPoweredOn()
            return await phone.background.runTask(identifier, of: app).number
        }
    }

    // MARK: memory and time

    /// Sends the app a memory warning; does nothing if the app does not run, or is suspended before it can handle the warning.
    ///
    /// - Throws: ``PhoneError`` if the app is not installed.
    public func warnOfMemory(_ bundleID: String) async throws {
        try await phone.kernel.doing(.warnOfMemory(bundleID)) { () async throws -> Void in
            await phone.life.warnOfMemory(try phone.apps.installed(bundleID))
        }
    }

    /// Tells apps of a significant time change, such as a new time zone or a changed clock.
    ///
    /// Suspended apps are told when they run again. The phone itself does this at midnight.
    public func announceSignificantTimeChange() {
        phone.kernel.doingAtOnce(.announceSignificantTimeChange) { () -> Void in
            phone.life.announceSignificantTimeChange()
        }
    }

    /// Ends the app as the system does when it needs memory: the app is not told, and a push may launch it again.
    ///
    /// - Throws: ``PhoneError`` if the app is not installed.
    public func terminate(_ bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.terminateBySystem(bundleID)) { () throws(PhoneError) -> Void in
            phone.life.end(try phone.apps.installed(bundleID))
        }
    }

    /// Disconnects the scene of a background app, as the system does when it needs memory.
    ///
    /// The app continues to run, or stays suspended. When the app is opened again, the phone connects a new scene, with the
    /// reason for opening in the connection options.
    ///
    /// - Throws: ``PhoneError`` (`noView`) if the app is not in the background, or has no scene.
    public func disconnectScene(of bundleID: String) async throws(PhoneError) {
        try await phone.kernel.doing(.disconnectScene(bundleID)) { () async throws(PhoneError) -> Void in
            try await phone.life.disconnectScene(of: try phone.apps.installed(bundleID))
        }
    }
}
