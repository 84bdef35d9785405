import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// The installed apps of a phone: their state, tokens and folders, and calls into their code.
extension Phone {
    /// The bundle IDs of the installed apps, in alphabetical order.
    public var installedApps: [String] { apps.bundleIDs }

    /// Returns the bundle of an installed app; `nil` if the app is not installed.
    public func bundle(of bundleID: String) -> AppBundle? { apps[bundleID]?.bundle }

    /// Returns whether and how the app runs; `notRunning` if the app is not installed.
    public func runningState(of bundleID: String) -> RunningState {
        apps[bundleID].map(life.runningState) ?? .notRunning
    }

    /// Returns the running app's delegate, for a test to inspect; `nil` while the app does not run.
    ///
    /// To call the app's code, use ``run(in:_:)``: only there, `UIApplication.shared` refers to this phone.
    public func delegate(of bundleID: String) -> (any UIApplicationDelegate)? {
        life.process(of: bundleID)?.application.delegate
    }

    /// Returns the app's newest device token; `nil` before the app gets one, and after it has unregistered.
    public func deviceToken(of bundleID: String) -> Data? { apps[bundleID].flatMap(connection.token) }

    /// Returns the app's newest token for VoIP pushes; `nil` if the app has none.
    public func voIPToken(of bundleID: String) -> Data? { apps[bundleID].flatMap(connection.callToken) }

    /// Returns the app's own folder, or the folder of one of its App Groups; `nil` if the app is not installed.
    public func containerFolder(of bundleID: String, appGroup: String? = nil) -> URL? {
        apps[bundleID]?.containers.directory(appGroup: appGroup)
    }

    /// Returns a report on the methods of an app's delegates that resemble Apple's methods but that iOS never calls.
    ///
    /// The report covers the delegates of the app, its scene and its notification center, and the service extension. The phone
    /// inspects each class when the app first uses it.
    public func delegateReport(of bundleID: String) -> DelegateReport {
        apps[bundleID].map(life.delegateReport) ?? .init()
    }

    /// Runs code as if the app had called it, so that `UIApplication.shared` and `UNUserNotificationCenter.current()` refer to
    /// this phone.
    ///
    /// Does nothing if the app does not run, or if iOS suspends the app before its main queue reaches the code.
    ///
    /// - Returns: whether the code ran.
    @discardableResult
    public func run(in bundleID: String, _ body: @escaping @MainActor () -> Void) async -> Bool {
        return await kernel.doing(.run(bundleID)) { () async -> Bool in
            guard let process = life.process(of: bundleID), process.gate.phase == .running else { return false }
            return await kernel.call(process, "block", waitsForProcess: false, body)
        }
    }
}
