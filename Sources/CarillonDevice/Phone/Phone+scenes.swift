import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The one scene that an app on a phone has.
extension Phone {
    /// Makes the scene and, for an app with a scene manifest, its delegate.
    ///
    /// Runs in a turn of the process.
    ///
    /// An app without a manifest has a scene too, which nobody is told of.
    func connectScene(of process: AppProcess, for reason: OpeningReason? = nil) {
        let application = process.application
        let restored = application.openSessions.first { $0.scene == nil }
        let session = restored ?? newSession(of: process.bundle)
        let options = reason?.connectionOptions ?? UIScene.ConnectionOptions()
        let scene = UIWindowScene(
            session: session, options: options, application: application, screen: process.screen)
        options.notificationResponse?.simulatedScene = scene
        application.connect(scene)
        guard process.bundle.usesScenes else {
            scene.currentState = .foregroundActive
            return
        }
        // iOS asks for a session's configuration once, and remembers it until the session is discarded.
        let configuration =
            restored == nil
            ? application.delegate?.application(application, configurationForConnecting: session, options: options)
            : session.currentConfiguration
        if let configuration { session.currentConfiguration = configuration }
        scene.delegate = Self.sceneDelegate(configuration?.delegateClass) ?? process.bundle.makeSceneDelegate?()
        if let app = app(process.bundle.bundleID) {
            app.sceneSession = session
            inspect([scene.delegate], of: app)
        }
        scene.currentState = .foregroundInactive
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
        NotificationCenter.default.post(name: UIScene.willConnectNotification, object: scene)
    }

    /// What an app finds of its scenes when it is launched.
    func prepareScene(of process: AppProcess, _ app: InstalledApp) {
        guard app.bundle.usesScenes else { return connectScene(of: process) }
        if let session = app.sceneSession { process.application.restore(UISceneSession(restoring: session)) }
    }

    /// Shortly after launching, as Apple's page says of a phone.
    static func tellOfDiscardedScenes(_ application: UIApplication, _ app: InstalledApp) {
        guard !app.discardedScenes.isEmpty else { return }
        let scenes = app.discardedScenes
        app.discardedScenes = []
        application.delegate?.application(application, didDiscardSceneSessions: scenes)
    }

    /// Disconnects the scene of an app in the background, as the system does that needs its memory.
    ///
    /// The app goes on running, or stays suspended; opening it connects a scene again, with the reason in the
    /// connection options.
    ///
    /// - Throws: ``PhoneError`` (`noView`): the app is not in the background, or has no scene.
    public func disconnectScene(of bundleID: String) async throws(PhoneError) {
        let app = try installed(bundleID)
        guard app.bundle.usesScenes, let process = app.process, process.applicationState == .background,
            !process.application.connectedScenes.isEmpty
        else {
            throw PhoneError(
                .noView, "\(bundleID) has no scene in the background: it must use scenes, and be sent there.")
        }
        let grant = process.gate.grant()
        resumed(process)
        await call(process) { Self.disconnectScenes(of: process) }
        process.gate.take(grant)
        changed(.lifeCycle(bundleID: bundleID))
    }

    /// Runs in a turn of the process.
    static func disconnectScenes(of process: AppProcess) {
        let application = process.application
        for scene in application.connectedScenes {
            scene.currentState = .unattached
            scene.delegate?.sceneDidDisconnect(scene)
            NotificationCenter.default.post(name: UIScene.didDisconnectNotification, object: scene)
            application.disconnect(scene)
        }
    }

    /// The person has flicked it away: its session is over.
    func discardScene(of app: InstalledApp) {
        guard let session = app.sceneSession else { return }
        app.sceneSession = nil
        app.discardedScenes.insert(UISceneSession(restoring: session))
    }

    private func newSession(of bundle: AppBundle) -> UISceneSession {
        let identifier = bundle.usesScenes ? UUID(seededBy: &random).uuidString : bundle.bundleID
        return UISceneSession(role: .windowApplication, persistentIdentifier: identifier)
    }

    private static func sceneDelegate(_ type: AnyClass?) -> (any UISceneDelegate)? {
        (type as? NSObject.Type).map(Creatable.make) as? any UISceneDelegate
    }
}
