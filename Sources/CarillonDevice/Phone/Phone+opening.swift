import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Ways into an app other than its icon and its notifications.
extension Phone {
    /// Follows a link that belongs to the app, in Safari say: one of its URL schemes, or an https link of one of its
    /// ``AppBundle/associatedDomains``.
    ///
    /// - Throws: ``PhoneError``: off, locked, or (`unknownLink`) a web page of a domain that is not the app's.
    public func openURL(_ url: URL, in bundleID: String) async throws {
        guard Self.isWeb(url) else { return try await open(bundleID, for: .url(url, from: OpeningReason.linkSource)) }
        guard try installed(bundleID).bundle.hasUniversalLink(url) else {
            throw PhoneError(
                .unknownLink,
                "\(url.host() ?? "This page") is no associated domain of \(bundleID): add "
                    + "applinks:\(url.host() ?? "example.com") to the associatedDomains of its AppBundle.")
        }
        try await open(bundleID, for: .activity(.browsing(url)))
    }

    /// What the app has put in the menu over its icon (`shortcutItems`).
    public func shortcutItems(of bundleID: String) -> [UIApplicationShortcutItem] {
        apps[bundleID]?.shortcutItems ?? []
    }

    /// Chooses an entry of the menu over the app's icon: one of ``shortcutItems(of:)``, or of its Info.plist.
    public func chooseShortcut(_ item: UIApplicationShortcutItem, of bundleID: String) async throws {
        try await open(bundleID, for: .shortcut(item))
    }

    /// Asks for the app's own settings page: from Settings, or from the menu of one of its notifications.
    ///
    /// - Throws: ``PhoneError`` (`noView`) where the app has not asked for `providesAppNotificationSettings`, since iOS
    ///   shows no such entry then.
    public func openNotificationSettings(of bundleID: String, from notificationID: String? = nil) async throws {
        guard settingValues(of: bundleID).providesAppNotificationSettings else {
            throw PhoneError(
                .noView,
                "\(bundleID) has no notification settings of its own: it must be allowed to send notifications, with "
                    + "the option providesAppNotificationSettings.")
        }
        let notification = try notificationID.map { try find($0, in: bundleID).1 }
        try await open(bundleID, for: .settings(notification))
    }

    private func open(_ bundleID: String, for reason: OpeningReason) async throws {
        let app = try installed(bundleID)
        try checkUsable()
        hideBanner()
        await bringToFront(app, for: reason)
    }

    /// Tells the app why it is in front, as far as launching has not told it already.
    func deliver(_ reason: OpeningReason?, to process: AppProcess, wasLaunchedForIt: Bool, hadScene: Bool) async {
        let usesScenes = process.bundle.usesScenes
        // A scene that was connected for it has it in its connection options.
        let isTold =
            usesScenes
            ? !hadScene && reason?.fitsConnectionOptions ?? true : wasLaunchedForIt && !process.takesLaunchReason
        switch reason {
        case .response(let response):
            if usesScenes, !hadScene, !wasLaunchedForIt {
                note("the running app had no scene: the tap is in the connection options of a new one", about: response)
            }
            await deliver(response, to: process, wasLaunchedForIt: wasLaunchedForIt)
        case .url(let url, let source): if !isTold { await call(process) { Self.tell(process, url, from: source) } }
        case .activity(let continued): if !isTold { await call(process) { self.tell(process, continued) } }
        case .shortcut(let item): if !isTold { await call(process) { self.tell(process, item) } }
        case .settings(let notification):
            let center = process.notificationCenter
            await call(process) { center.delegate?.userNotificationCenter(center, openSettingsFor: notification) }
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
        // A problem gets an entry of its own among the traces.
        let handler: CompletionHandler<Bool> = completionHandler(
            "performActionFor", of: process,
            report: { phone, problem in
                phone.finish(
                    phone.beginEvent("performActionFor", of: process.bundle.bundleID), note: problem.sentence)
            })
        follow(handler)
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

    /// What the app gives to it is told to restore itself, in a turn of its own.
    private func restorationHandler(
        for activity: NSUserActivity, in process: AppProcess
    ) -> ([any UIUserActivityRestoring]?) -> Void {
        { [mailbox] objects in
            let restoring = Restoring(objects: objects ?? [])
            mailbox.post { _ in
                ProcessScheduler.shared.run(as: process) {
                    for object in restoring.objects { object.restoreUserActivityState(activity) }
                }
            }
        }
    }

    private struct Restoring: @unchecked Sendable {
        // `@unchecked`: touched on the main actor only, to which the objects belong.
        let objects: [any UIUserActivityRestoring]
    }
}
