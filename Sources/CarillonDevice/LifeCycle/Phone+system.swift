@_spi(Simulation) import BackgroundTasks
import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

extension Phone {
    /// The actions that iOS takes on apps by itself, and that a test decides here.
    public var system: System { System(phone: self) }

    /// The actions of iOS on the apps of a phone.
    @MainActor public struct System {
        let phone: Phone
    }
}

extension Phone.System {
    // MARK: background work

    /// Gives the app a chance to fetch in the background, as Xcode's Simulate Background Fetch does.
    ///
    /// Apple does not document when iOS fetches, so this phone never does by itself.
    ///
    /// - Returns: the number of the entry in ``Phone/traces``, which says whether the app was called, and why not.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
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

    /// Finishes the transfers of a background `URLSession`: the app is resumed, or launched, to take them.
    ///
    /// Differs from iOS: Foundation on Linux has no background sessions, so no transfer takes place. What the app finds
    /// is for the test to prepare; its session's delegate is not called.
    ///
    /// - Parameters:
    ///   - session: the identifier of the session's configuration.
    ///   - bundleID: the app.
    /// - Returns: the number of its entry in ``Phone/traces``.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
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

    /// Runs a task that the app has submitted, as Xcode's debugger can: the app is resumed, or launched.
    ///
    /// The task has 30 seconds, or 3 minutes if it is a processing task. Then its expiration handler is called, and an app that
    /// does not end the task there is terminated.
    ///
    /// - Returns: the number of the entry in ``Phone/traces``, which says whether the app was called, and why not.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
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

    /// Sends the app a memory warning, unless it does not run or is suspended before its turn comes.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func warnOfMemory(_ bundleID: String) async throws {
        try await phone.kernel.doing(.warnOfMemory(bundleID)) { () async throws -> Void in
            await phone.life.warnOfMemory(try phone.apps.installed(bundleID))
        }
    }

    /// Tells apps of a significant time change, such as a new time zone or a changed clock.
    ///
    /// Suspended apps are told when they run again. At midnight the phone does this by itself.
    public func announceSignificantTimeChange() {
        phone.kernel.doingAtOnce(.announceSignificantTimeChange) { () -> Void in
            phone.life.announceSignificantTimeChange()
        }
    }

    /// Ends the app as the system does when it needs memory: the app is not told, and a push may launch it again.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func terminate(_ bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.terminateBySystem(bundleID)) { () throws(PhoneError) -> Void in
            phone.life.end(try phone.apps.installed(bundleID))
        }
    }

    /// Disconnects the scene of a background app, as the system does when it needs memory.
    ///
    /// The app continues to run, or stays suspended. Opening it connects a scene again, with the reason in the connection
    /// options.
    ///
    /// - Throws: ``PhoneError`` (`noView`) if the app is not in the background, or has no scene.
    public func disconnectScene(of bundleID: String) async throws(PhoneError) {
        try await phone.kernel.doing(.disconnectScene(bundleID)) { () async throws(PhoneError) -> Void in
            try await phone.life.disconnectScene(of: try phone.apps.installed(bundleID))
        }
    }
}
