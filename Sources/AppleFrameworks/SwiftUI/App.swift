import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// An app with SwiftUI windows. [App](https://developer.apple.com/documentation/swiftui/app)
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene

    @SceneBuilder var body: Body { get }

    init()
}

extension App {
    /// Starts the app: the entry point of `@main`.
    ///
    /// On a simulated phone, sets the app's delegate, and the closure that makes the root view controller of the app's window.
    ///
    /// Differs from iOS: `main()` returns, because the phone already runs the main queue. Outside any phone, the method stops
    /// the program with an explanation.
    public static func main() {
        guard let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess else {
            SimulatedDevices.stop(
                "\(Self.self).main() was called outside of a simulated phone. Install the app on a phone and let the "
                    + "phone open it: AppBundle(bundleID:name:usesScenes: true, main: { \(Self.self).main() })")
        }
        let app = Self()
        let application = process.application
        if application.delegate == nil { application.delegate = PlainAppDelegate() }
        let run = AppRun(app, of: application)
        application.makeMainController = { run.makeMainController() }
    }
}

/// The app delegate of an app that declares no delegate.
private final class PlainAppDelegate: UIResponder, UIApplicationDelegate {}
