import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// The apps that are installed on a phone.
extension Phone {
    /// The bundle IDs of the installed apps, in alphabetical order.
    public var installedApps: [String] { apps.bundleIDs }

    /// Returns the bundle of an installed app; `nil` if the app is not installed.
    public func bundle(of bundleID: String) -> AppBundle? { apps[bundleID]?.bundle }

    /// Whether the app runs, and how; `notRunning` for an app that is not installed.
    public func runningState(of bundleID: String) -> RunningState {
        apps[bundleID].map(life.runningState) ?? .notRunning
    }

    /// Returns the running app's delegate for a test to inspect; `nil` while the app does not run.
    ///
    /// To call the app's code, go through ``run(in:_:)``: only there does `shared` mean this phone.
    public func delegate(of bundleID: String) -> (any UIApplicationDelegate)? {
        life.process(of: bundleID)?.application.delegate
    }

    /// Returns the token that the app was given last; `nil` before that, and after it has unregistered.
    public func deviceToken(of bundleID: String) -> Data? { apps[bundleID].flatMap(connection.token) }
}
