import CarillonCore
import Foundation
import UIKit

/// An app on this phone, running or not: everything that outlives its process and goes when it is deleted.
@MainActor final class InstalledApp {
    let bundle: AppBundle
    let containers: Containers
    let extensionContainers: Containers
    let contentExtensionContainers: Containers

    var permission = Permission()
    var list = NotificationList()
    var archives = NotificationArchives()
    var badge = 0
    var categories: Set<UNNotificationCategory> = []
    var process: AppProcess?

    /// The person swiped it away and has not opened it since.
    var isForceQuit = false
    var isBackgroundRefreshOn = true
    /// The person lets it use the location while it is in use.
    var isLocationAllowed = false
    /// What the app has asked for by `setMinimumBackgroundFetchInterval`.
    var fetchIntervalSeconds = UIApplication.backgroundFetchIntervalNever

    /// The `UILocalNotification` behind a request, by the request's identifier.
    var oldNotifications: [String: AnyObject] = [:]

    /// The entries that the app itself has put in the menu over its icon.
    var shortcutItems: [UIApplicationShortcutItem]?

    /// The session of its one scene, over its launches; `nil` before the first scene and after one was discarded.
    var sceneSession: UISceneSession?
    /// What was flicked away and the app has not been told of.
    var discardedScenes: Set<UISceneSession> = []

    var isRegistered = false
    var token: Data?
    /// Has asked for a token and waits for the network.
    var isWaitingForToken = false

    var budget = BackgroundBudget()
    /// The one silent push that waits for better times, and its entry in the log.
    var held: HeldPush?
    /// What the look at its delegates' methods found, since it was installed.
    var delegateReport = DelegateReport()
    /// Who waits for the person's answer to the permission sheet.
    var permissionWaiters: [PermissionRequest] = []

    struct HeldPush {
        let push: IncomingPush
        let log: Int
    }

    struct PermissionRequest {
        let options: UNAuthorizationOptions
        let answer: @MainActor @Sendable (Bool) -> Void
    }

    init(bundle: AppBundle, folder: URL, groups: URL) {
        self.bundle = bundle
        containers = Containers(
            own: folder.appending(path: "App", directoryHint: .isDirectory), groups: groups,
            appGroups: bundle.appGroups)
        extensionContainers = Containers(
            own: folder.appending(path: "ServiceExtension", directoryHint: .isDirectory), groups: groups,
            appGroups: bundle.appGroups)
        contentExtensionContainers = Containers(
            own: folder.appending(path: "ContentExtension", directoryHint: .isDirectory), groups: groups,
            appGroups: bundle.appGroups)
    }

    var runningState: RunningState {
        guard let process else { return isForceQuit ? .forceQuit : .notRunning }
        switch process.applicationState {
        case .active: return .foregroundActive
        case .inactive: return .foregroundInactive
        case .background: return process.gate.phase == .running ? .background : .suspended
        }
    }
}
