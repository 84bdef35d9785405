import Foundation
@_spi(Simulation) import UserNotifications

/// The requests of an app about its scenes. A phone has one scene for each app, so an iPhone refuses most of them.
extension UIApplication {
    /// Asks for a scene to come to the front.
    ///
    /// - Parameters:
    ///   - sceneSession: `nil` asks for a new scene, which a phone has not: `multipleScenesNotSupported`. The app's own
    ///     scene gets `userActivity` by `scene(_:continue:)` while it is in front; from the background the phone brings
    ///     no app to the front: `requestDenied`.
    ///   - errorHandler: called on the main queue, if it is refused.
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

    /// Asks for a scene to be closed, which a phone does with no app's only one: `multipleScenesNotSupported`.
    @available(iOS 13, *)
    @preconcurrency public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) { refuse(.multipleScenesNotSupported, errorHandler) }

    /// Asks for a new picture of a scene in the background: a drawing of the phone reads its views again.
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
        /// The scene that asks.
        open var requestingScene: UIScene?
    }
}

/// [UISceneDestructionRequestOptions](https://developer.apple.com/documentation/uikit/uiscenedestructionrequestoptions)
@available(iOS 13, *)
@MainActor @preconcurrency open class UISceneDestructionRequestOptions: NSObject {}

/// The conditions by which a scene is chosen for a content, in an app with several scenes.
/// [UISceneActivationConditions](https://developer.apple.com/documentation/uikit/uisceneactivationconditions)
///
/// Differs from iOS: kept and not asked, since with one scene an app there is nothing to choose.
@available(iOS 13, *)
@MainActor @preconcurrency open class UISceneActivationConditions: NSObject {
    open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
}
