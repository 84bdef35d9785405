import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The methods that make, connect, disconnect and discard an app's scene; an app has one scene on a phone.
extension AppLife {
    /// Makes the app's scene and, for an app with a scene manifest, the scene delegate.
    ///
    /// Call this only while ``ProcessScheduler`` runs code of the process. An app without a scene manifest also has a scene, but
    /// the phone does not tell the app's code about it.
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
        if let app = apps[process.bundle.bundleID] {
            perApp[app].sceneSession = session
            inspect([scene.delegate], of: app)
        }
        scene.currentState = .foregroundInactive
        let window = Self.mainWindow(of: process) { UIWindow(windowScene: scene) }
        if let window { (scene.delegate as? any UIWindowSceneDelegate)?.window = window }
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
        window?.makeKeyAndVisible()
        NotificationCenter.default.postInOrder(name: UIScene.willConnectNotification, object: scene)
    }

    /// Prepares the app's scene at launch: restores the scene's session or, without a scene manifest, connects a scene.
    func prepareScene(of process: AppProcess, _ app: InstalledApp) {
        guard app.bundle.usesScenes else { return connectScene(of: process) }
        if let session = perApp[app].sceneSession { process.application.restore(UISceneSession(restoring: session)) }
    }

    /// Tells the app, shortly after its launch, which of its scenes the person has closed, as Apple documents.
    func tellOfDiscardedScenes(_ application: UIApplication, _ app: InstalledApp) {
        let scenes = perApp[app].discardedScenes
        guard !scenes.isEmpty else { return }
        perApp[app].discardedScenes = []
        application.delegate?.application(application, didDiscardSceneSessions: scenes)
    }

    /// Disconnects the scene of a background app, as the system does when it needs memory.
    ///
    /// - Throws: ``PhoneError`` (`noView`) if the app is not in the background, or has no scene.
    func disconnectScene(of app: InstalledApp) async throws(PhoneError) {
        let bundleID = app.bundle.bundleID
        guard app.bundle.usesScenes, let process = process(of: app), process.applicationState == .background,
            !process.application.connectedScenes.isEmpty
        else {
            throw PhoneError(
                .noView, "\(bundleID) has no scene in the background: it must use scenes, and be sent there.")
        }
        let grant = process.gate.grant()
        resumed(process)
        await kernel.call(process, "sceneDidDisconnect") { Self.disconnectScenes(of: process) }
        process.gate.take(grant)
        kernel.changed(.lifeCycle(bundleID: bundleID))
    }

    /// Disconnects all scenes of a process; call it only while ``ProcessScheduler`` runs code of the process.
    static func disconnectScenes(of process: AppProcess) {
        let application = process.application
        for scene in application.connectedScenes {
            scene.currentState = .unattached
            scene.delegate?.sceneDidDisconnect(scene)
            NotificationCenter.default.postInOrder(name: UIScene.didDisconnectNotification, object: scene)
            application.disconnect(scene)
        }
    }

    /// Discards the app's scene and its session, after the person has closed the app in the app switcher.
    func discardScene(of app: InstalledApp) {
        guard let session = perApp[app].sceneSession else { return }
        perApp[app].sceneSession = nil
        perApp[app].discardedScenes.insert(UISceneSession(restoring: session))
    }

    private func newSession(of bundle: AppBundle) -> UISceneSession {
        let identifier = bundle.usesScenes ? kernel.randomUUID().uuidString : bundle.bundleID
        return UISceneSession(role: .windowApplication, persistentIdentifier: identifier)
    }

    private static func sceneDelegate(_ type: AnyClass?) -> (any UISceneDelegate)? {
        (type as? NSObject.Type).map(Creatable.make) as? any UISceneDelegate
    }
}
