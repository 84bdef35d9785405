import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Ways into an app other than its icon and its notifications.
extension Phone {
    /// Follows a link that belongs to the app, in Safari say: one of its URL schemes.
    public func openURL(_ url: URL, in bundleID: String) async throws { try await open(bundleID, for: .url(url)) }

    /// Chooses an entry of the menu over the app's icon.
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
                "\(bundleID) has no settings page for notifications: it must be allowed to send them, with the option "
                    + "providesAppNotificationSettings.")
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
        let isTold = usesScenes ? !hadScene : wasLaunchedForIt && !process.takesLaunchReason
        switch reason {
        case .response(let response): await deliver(response, to: process, wasLaunchedForIt: wasLaunchedForIt)
        case .url(let url): if !isTold { await call(process) { Self.tell(process, url) } }
        case .shortcut(let item): if !isTold { await call(process) { Self.tell(process, item) } }
        case .settings(let notification):
            let centre = process.notificationCenter
            await call(process) { centre.delegate?.userNotificationCenter(centre, openSettingsFor: notification) }
        case nil: break
        }
    }

    private static func tell(_ process: AppProcess, _ url: URL) {
        let application = process.application
        guard process.bundle.usesScenes else {
            _ = application.delegate?.application(
                application, open: url, options: [.sourceApplication: OpeningReason.linkSource, .openInPlace: false])
            return
        }
        for scene in application.connectedScenes {
            scene.delegate?.scene(scene, openURLContexts: [OpeningReason.context(url)])
        }
    }

    private static func tell(_ process: AppProcess, _ item: UIApplicationShortcutItem) {
        let application = process.application
        guard process.bundle.usesScenes else {
            application.delegate?.application(application, performActionFor: item) { _ in }
            return
        }
        for case let scene as UIWindowScene in application.connectedScenes {
            (scene.delegate as? any UIWindowSceneDelegate)?
                .windowScene(scene, performActionFor: item) { _ in }
        }
    }
}
