import Foundation
@_spi(Simulation) import UserNotifications

/// The app's requests about its scenes. A phone has one scene for each app, so an iPhone refuses most of them.
extension UIApplication {
    /// Asks to bring a scene to the front.
    ///
    /// - Parameters:
    ///   - sceneSession: `nil` asks for a new scene, which a phone refuses (`multipleScenesNotSupported`). While the app is in
    ///     front, its own scene gets `userActivity` in `scene(_:continue:)`; in the background the request is refused
    ///     (`requestDenied`).
    ///   - errorHandler: called on the main queue if the request is refused.
    @available(iOS 13, *)
    @preconcurrency public func requestSceneSessionActivation(
        _ sceneSession: UISceneSession?, userActivity: NSUserActivity?, options: UIScene.ActivationRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) {
        guard let sceneSession else { return refuse(.multipleScenesNotSupported, errorHandler) }
        guard openSessions.contains(sceneSession), let scene = sceneSession.scene, applicationState != .background
        else { return refuse(.requestDenied, errorHandler) }
        guard let userActivity else { return }
        backend.inTurn {
            scene.delegate?.scene(scene, willContinueUserActivityWithType: userActivity.activityType)
            scene.delegate?.scene(scene, continue: userActivity)
        }
    }

    /// Asks to close a scene; a phone refuses that for an app's only scene (`multipleScenesNotSupported`).
    @available(iOS 13, *)
    @preconcurrency public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) { refuse(.multipleScenesNotSupported, errorHandler) }

    /// Asks for a new snapshot of a background scene: the phone's drawing reads its views again.
    @available(iOS 13, *)
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {
        if sceneSession.scene != nil { backend.viewsChanged() }
    }

    private func refuse(
        _ code: UISceneError.Code, _ errorHandler: (@MainActor @Sendable (any Error) -> Void)?
    ) { backend.inTurn { errorHandler?(UISceneError(code)) } }
}

extension UIScene {
    /// [UIScene.ActivationRequestOptions](https://developer.apple.com/documentation/uikit/uiscene/activationrequestoptions)
    @MainActor @preconcurrency open class ActivationRequestOptions: NSObject {
        /// The scene that makes the request.
        open var requestingScene: UIScene?
    }
}

/// [UISceneDestructionRequestOptions](https://developer.apple.com/documentation/uikit/uiscenedestructionrequestoptions)
@available(iOS 13, *)
@MainActor @preconcurrency open class UISceneDestructionRequestOptions: NSObject {}

/// The conditions for choosing a scene for a content, in an app with several scenes.
/// [UISceneActivationConditions](https://developer.apple.com/documentation/uikit/uisceneactivationconditions)
///
/// Differs from iOS: stored without effect, because each app has one scene.
@available(iOS 13, *)
@MainActor @preconcurrency open class UISceneActivationConditions: NSObject {
    open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
}
