import Foundation
@_spi(Simulation) import UserNotifications

/// The app's requests about its scenes. A phone has one scene for each app, so it refuses most of these requests.
extension UIApplication {
    /// Asks to bring a scene to the front.
    ///
    /// - Parameters:
    ///   - sceneSession: the session of the scene; `nil` asks for a new scene, which a phone refuses
    ///     (`multipleScenesNotSupported`).
    ///   - userActivity: the activity that the scene gets in `scene(_:continue:)` while the app is in the foreground. In the
    ///     background the phone refuses the request (`requestDenied`).
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

    /// Asks for a new snapshot of a background scene. The phone then draws the scene's views again.
    @available(iOS 13, *)
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {
        if sceneSession.scene != nil { backend.viewsChanged() }
    }

    private func refuse(
        _ code: UISceneError.Code, _ errorHandler: (@MainActor @Sendable (any Error) -> Void)?
    ) { backend.inTurn { errorHandler?(UISceneError(code)) } }
}

extension UIScene {
    /// The options of a request to bring a scene to the front.
    /// [UIScene.ActivationRequestOptions](https://developer.apple.com/documentation/uikit/uiscene/activationrequestoptions)
    @MainActor @preconcurrency open class ActivationRequestOptions: NSObject {
        /// The scene that makes the request.
        open var requestingScene: UIScene?
    }
}

/// The options of a request to close a scene.
/// [UISceneDestructionRequestOptions](https://developer.apple.com/documentation/uikit/uiscenedestructionrequestoptions)
@available(iOS 13, *)
@MainActor @preconcurrency open class UISceneDestructionRequestOptions: NSObject {}

/// The conditions by which an app with several scenes chooses the scene that shows certain content.
/// [UISceneActivationConditions](https://developer.apple.com/documentation/uikit/uisceneactivationconditions)
///
/// Differs from iOS: the conditions are stored without effect, because each app has one scene.
@available(iOS 13, *)
@MainActor @preconcurrency open class UISceneActivationConditions: NSObject {
    open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
}
