import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The part of a phone that tells an app why it was opened: by a link, an activity, a shortcut or a notification's response.
@MainActor final class ReasonDelivery {
    let kernel: PhoneKernel
    let traces: Traces
    let apps: InstalledApps
    let life: AppLife
    let background: Background
    let notifications: Notifications

    /// Makes the part of a phone that tells apps why they were opened.
    ///
    /// - Parameter notifications: the phone's notification center; it also keeps the `UILocalNotification`s that apps get in
    ///   their launch options.
    init(notifications: Notifications) {
        kernel = notifications.kernel
        traces = notifications.traces
        apps = notifications.apps
        life = notifications.life
        background = notifications.background
        self.notifications = notifications
    }

    /// Returns the launch options for a reason; none for apps with scenes, which get the reason in their connection options.
    func launchOptions(
        for reason: OpeningReason?, _ app: InstalledApp
    ) -> [UIApplication.LaunchOptionsKey: Any]? {
        guard !app.bundle.usesScenes, kernel.rules.keeps(.coldTapHasLaunchOptions) else { return nil }
        return reason?.launchOptions ?? oldLaunchOptions(reason, app)
    }

    /// Returns launch options with the app's `UILocalNotification`, if `reason` is the person's response to one; otherwise `nil`.
    private func oldLaunchOptions(_ reason: OpeningReason?, _ app: InstalledApp) -> [UIApplication.LaunchOptionsKey:
        Any]?
    {
        guard case .response(let response)? = reason,
            let original = notifications.oldNotification(response.notification.request.identifier, of: app)
        else { return nil }
        return [.localNotification: original]
    }

    /// Tells the app why it is in front, unless the app's launch has already told it.
    func deliver(_ reason: OpeningReason?, to process: AppProcess, wasLaunchedForIt: Bool, hadScene: Bool) async {
        let usesScenes = process.bundle.usesScenes
        // A scene that was connected for the reason gets the reason in its connection options.
        let isTold =
            usesScenes
            ? !hadScene && reason?.fitsConnectionOptions ?? true : wasLaunchedForIt && !process.takesLaunchReason
        switch reason {
        case .response(let response):
            if usesScenes, !hadScene, !wasLaunchedForIt {
                traces.note(
                    "the running app had no scene: the tap is in the connection options of a new one",
                    about: response)
            }
            await deliver(response, to: process, wasLaunchedForIt: wasLaunchedForIt)
        case .url(let url, let source):
            if !isTold { await kernel.call(process, "open url") { Self.tell(process, url, from: source) } }
        case .activity(let continued):
            if !isTold { await kernel.call(process, "continue userActivity") { self.tell(process, continued) } }
        case .shortcut(let item):
            if !isTold { await kernel.call(process, "performActionFor") { self.tell(process, item) } }
        case .settings(let notification):
            let center = process.notificationCenter
            await kernel.call(process, "openSettingsFor") {
                center.delegate?.userNotificationCenter(center, openSettingsFor: notification)
            }
        case nil: break
        }
    }

    private static func tell(_ process: AppProcess, _ url: URL, from source: String) {
        let application = process.application
        guard process.bundle.usesScenes else {
            _ = application.delegate?.application(
                application, open: url, options: [.sourceApplication: source, .openInPlace: false])
            return
        }
        for scene in application.connectedScenes {
            scene.delegate?.scene(scene, openURLContexts: [UIOpenURLContext(url: url, sourceApplication: source)])
        }
    }

    private func tell(_ process: AppProcess, _ item: UIApplicationShortcutItem) {
        let application = process.application
        // A problem with the handler gets a trace entry of its own.
        let handler: CompletionHandler<Bool> = background.completionHandler(
            "performActionFor", of: process,
            report: { [traces] problem in
                traces.begin(event: "performActionFor", of: process.bundle.bundleID).finish(note: problem.sentence)
            })
        background.follow(handler)
        guard process.bundle.usesScenes else {
            guard let delegate = application.delegate else { return handler.call(false) }
            delegate.application(application, performActionFor: item, completionHandler: handler.call)
            return
        }
        let scene = application.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }.first
        guard let scene, let delegate = scene.delegate as? any UIWindowSceneDelegate else {
            return handler.call(false)
        }
        delegate.windowScene(scene, performActionFor: item, completionHandler: handler.call)
    }

    private func tell(_ process: AppProcess, _ continued: ContinuedActivity) {
        let (activity, type) = (continued.activity, continued.activity.activityType)
        let application = process.application
        guard process.bundle.usesScenes else {
            guard let delegate = application.delegate else { return }
            _ = delegate.application(application, willContinueUserActivityWithType: type)
            if let failure = continued.failure {
                delegate.application(application, didFailToContinueUserActivityWithType: type, error: failure)
            } else {
                _ = delegate.application(
                    application, continue: activity, restorationHandler: restorationHandler(for: activity, in: process))
            }
            return
        }
        for scene in application.connectedScenes {
            scene.delegate?.scene(scene, willContinueUserActivityWithType: type)
            if let failure = continued.failure {
                scene.delegate?.scene(scene, didFailToContinueUserActivityWithType: type, error: failure)
            } else {
                scene.delegate?.scene(scene, continue: activity)
            }
        }
    }

    /// Returns the restoration handler that the app calls with an array of objects.
    ///
    /// The handler calls `restoreUserActivityState(_:)` on each object, in the app's process.
    private func restorationHandler(
        for activity: NSUserActivity, in process: AppProcess
    ) -> ([any UIUserActivityRestoring]?) -> Void {
        { [mailbox = kernel.mailbox] objects in
            let restoring = Restoring(objects: objects ?? [])
            mailbox.post {
                ProcessScheduler.shared.run(as: process, "restoreUserActivityState") {
                    for object in restoring.objects { object.restoreUserActivityState(activity) }
                }
            }
        }
    }

    private struct Restoring: @unchecked Sendable {
        // `@unchecked`: used only on the main actor, to which the objects belong.
        let objects: [any UIUserActivityRestoring]
    }
}
