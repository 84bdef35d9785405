import CarillonCore
import Foundation
@_spi(Simulation) import UIKit

/// The system's actions on apps, which a test triggers.
extension Phone {
    /// Gives the app a chance to fetch in the background, as Xcode's Simulate Background Fetch does.
    ///
    /// Apple does not say when iOS does, so this phone never does by itself.
    ///
    /// - Returns: the number of its entry in ``traces``, which says whether the app was called, and why not.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
    @discardableResult
    public func performBackgroundFetch(of bundleID: String) async throws(PhoneError) -> Int {
        return try await kernel.doing(.performBackgroundFetch(bundleID)) { () async throws(PhoneError) -> Int in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            return await background.call(app, for: .fetch) { process, handler in
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
    /// - Returns: the number of its entry in ``traces``.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
    @discardableResult
    public func finishBackgroundTransfers(
        ofSession session: String, in bundleID: String
    ) async throws(PhoneError) -> Int {
        return try await kernel.doing(.finishBackgroundTransfers(session: session, app: bundleID)) {
            () async throws(PhoneError) -> Int in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            return await background.call(app, for: .transfers(session: session)) { process, handler in
                let application = process.application
                application.delegate?.application(application, handleEventsForBackgroundURLSession: session) {
                    handler(.handled)
                }
            }.number
        }
    }

    /// Runs short of memory: the app is told, if it runs.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func warnOfMemory(_ bundleID: String) async throws {
        try await kernel.doing(.warnOfMemory(bundleID)) { () async throws -> Void in
            await life.warnOfMemory(try apps.installed(bundleID))
        }
    }

    /// Tells apps of a significant change of the time: a new time zone, or a clock that was set.
    ///
    /// Suspended apps are told when they run again. The phone does it by itself at midnight.
    public func announceSignificantTimeChange() {
        kernel.doingAtOnce(.announceSignificantTimeChange) { () -> Void in
            life.announceSignificantTimeChange()
        }
    }

    /// Ends the app as the system does that needs its memory: it is not told, and a push may launch it again.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func terminateBySystem(_ bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.terminateBySystem(bundleID)) { () throws(PhoneError) -> Void in
            life.end(try apps.installed(bundleID))
        }
    }

    /// Disconnects the scene of an app in the background, as the system does that needs its memory.
    ///
    /// The app goes on running, or stays suspended; opening it connects a scene again, with the reason in the
    /// connection options.
    ///
    /// - Throws: ``PhoneError`` (`noView`): the app is not in the background, or has no scene.
    public func disconnectScene(of bundleID: String) async throws(PhoneError) {
        try await kernel.doing(.disconnectScene(bundleID)) { () async throws(PhoneError) -> Void in
            try await life.disconnectScene(of: try apps.installed(bundleID))
        }
    }

    /// Returns the methods of an app's delegates that look like Apple's and are never called.
    ///
    /// The delegates are those of the app, its scene and its service extension. Each class is inspected at its first use.
    public func delegateReport(of bundleID: String) -> DelegateReport {
        apps[bundleID].map(life.delegateReport) ?? .init()
    }
}
