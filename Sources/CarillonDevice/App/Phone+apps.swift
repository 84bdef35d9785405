import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// The apps that are installed: their state, tokens and folders, and the way into their code.
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

    /// Returns the token for VoIP pushes that the app was given last; `nil` before that.
    public func voIPToken(of bundleID: String) -> Data? { apps[bundleID].flatMap(connection.callToken) }

    /// Returns the app's own folder, or the folder of one of its App Groups; `nil` if the app is not installed.
    public func containerFolder(of bundleID: String, appGroup: String? = nil) -> URL? {
        apps[bundleID]?.containers.directory(appGroup: appGroup)
    }

    /// Returns the methods of an app's delegates that look like Apple's and are never called.
    ///
    /// The delegates are those of the app, its scene and its service extension. Each class is inspected at its first use.
    public func delegateReport(of bundleID: String) -> DelegateReport {
        apps[bundleID].map(life.delegateReport) ?? .init()
    }

    /// Runs code as the app's own callbacks run, so that `shared` and `current()` mean this phone in it.
    ///
    /// Does nothing while the app does not run, or if it is suspended before its turn comes.
    ///
    /// - Returns: whether it was run.
    @discardableResult
    public func run(in bundleID: String, _ body: @escaping @MainActor () -> Void) async -> Bool {
        return await kernel.doing(.run(bundleID)) { () async -> Bool in
            guard let process = life.process(of: bundleID), process.gate.phase == .running else { return false }
            return await kernel.call(process, "block", waitsForProcess: false, body)
        }
    }
}
