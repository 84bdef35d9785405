import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The one scene that an app on a phone has.
extension Phone {
    /// Makes the scene and, for an app with a scene manifest, its delegate. Runs in a turn of the process.
    ///
    /// An app without a manifest has a scene too, which nobody is told of.
    func connectScene(of process: AppProcess, for reason: OpeningReason? = nil) {
        let application = process.application
        let session = UISceneSession(role: .windowApplication, persistentIdentifier: process.bundle.bundleID)
        let options = reason?.connectionOptions ?? UIScene.ConnectionOptions()
        let scene = UIWindowScene(
            session: session, options: options, application: application, screen: process.screen)
        options.notificationResponse?.simulatedScene = scene
        application.connect(scene)
        guard process.bundle.usesScenes else {
            scene.currentState = .foregroundActive
            return
        }
        let method = OptionalMethod.Call()
        let configuration = OptionalMethod.$call.withValue(method) {
            application.delegate?.application(application, configurationForConnecting: session, options: options)
        }
        if let configuration { session.currentConfiguration = configuration }
        scene.delegate = Self.sceneDelegate(configuration?.delegateClass) ?? process.bundle.makeSceneDelegate?()
        if let app = app(process.bundle.bundleID) { inspect([scene.delegate], of: app) }
        scene.currentState = .foregroundInactive
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
        NotificationCenter.default.post(name: UIScene.willConnectNotification, object: scene)
    }

    private static func sceneDelegate(_ type: AnyClass?) -> (any UISceneDelegate)? {
        (type as? NSObject.Type).map(Creatable.make) as? any UISceneDelegate
    }
}
