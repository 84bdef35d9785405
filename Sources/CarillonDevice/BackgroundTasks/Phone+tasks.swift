@_spi(Simulation) import BackgroundTasks
import CarillonCore
import Foundation

/// The background tasks that apps have submitted.
extension Phone {
    /// Returns the identifiers of the tasks that an app has submitted and that have not run, in the order of submission.
    public func scheduledTasks(of bundleID: String) -> [String] {
        apps[bundleID].map(background.scheduledTasks)?.all.map(\.request.identifier) ?? []
    }

    /// Lets a task run that the app has submitted, as Xcode's debugger can: the app is resumed, or launched.
    ///
    /// It has 30 seconds, or 3 minutes for a processing task; then its expiration handler is called, and an app that does not
    /// end the task there is terminated.
    ///
    /// - Returns: the number of its entry in ``traces``, which says whether the app was called, and why not.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
    @discardableResult
    public func runBackgroundTask(_ identifier: String, in bundleID: String) async throws(PhoneError) -> Int {
        return try await kernel.doing(.runBackgroundTask(identifier, app: bundleID)) {
            () async throws(PhoneError) -> Int in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            return await background.runTask(identifier, of: app).number
        }
    }
}
