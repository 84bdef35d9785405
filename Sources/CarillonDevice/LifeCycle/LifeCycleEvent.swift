import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A step in an app's life cycle, reported to the app delegate or, in an app with scenes, to the scene delegate.
enum LifeCycleEvent: String, Sendable {
    case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, willTerminate

    /// Calls the delegate and posts the notification; call it only while ``ProcessScheduler`` runs code of the process.
    @MainActor func tell(_ process: AppProcess) {
        let application = process.application
        if process.bundle.usesScenes, self != .willTerminate {
            for scene in application.connectedScenes { tell(scene) }
        } else if let delegate = application.delegate {
            tell(delegate, application)
        }
        // Posted for apps with scenes as well, as on iOS.
        NotificationCenter.default.postInOrder(name: name, object: application)
    }

    @MainActor private func tell(_ delegate: any UIApplicationDelegate, _ application: UIApplication) {
        switch self {
        case .willEnterForeground: delegate.applicationWillEnterForeground(application)
        case .didBecomeActive: delegate.applicationDidBecomeActive(application)
        case .willResignActive: delegate.applicationWillResignActive(application)
        case .didEnterBackground: delegate.applicationDidEnterBackground(application)
        case .willTerminate: delegate.applicationWillTerminate(application)
        }
    }

    @MainActor private func tell(_ scene: UIScene) {
        switch self {
        case .willEnterForeground:
            scene.currentState = .foregroundInactive
            scene.delegate?.sceneWillEnterForeground(scene)
            NotificationCenter.default.postInOrder(name: UIScene.willEnterForegroundNotification, object: scene)
        case .didBecomeActive:
            scene.currentState = .foregroundActive
            scene.delegate?.sceneDidBecomeActive(scene)
            NotificationCenter.default.postInOrder(name: UIScene.didActivateNotification, object: scene)
        case .willResignActive:
            scene.delegate?.sceneWillResignActive(scene)
            scene.currentState = .foregroundInactive
            NotificationCenter.default.postInOrder(name: UIScene.willDeactivateNotification, object: scene)
        case .didEnterBackground:
            scene.currentState = .background
            scene.delegate?.sceneDidEnterBackground(scene)
            if let activity = scene.delegate?.stateRestorationActivity(for: scene) {
                scene.session.stateRestorationActivity = activity
            }
            NotificationCenter.default.postInOrder(name: UIScene.didEnterBackgroundNotification, object: scene)
        case .willTerminate: break
        }
    }

    private var name: Notification.Name {
        switch self {
        case .willEnterForeground: UIApplication.willEnterForegroundNotification
        case .didBecomeActive: UIApplication.didBecomeActiveNotification
        case .willResignActive: UIApplication.willResignActiveNotification
        case .didEnterBackground: UIApplication.didEnterBackgroundNotification
        case .willTerminate: UIApplication.willTerminateNotification
        }
    }
}
