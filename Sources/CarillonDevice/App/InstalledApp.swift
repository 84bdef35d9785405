import CarillonCore
import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// An app on this phone, running or not: everything that outlives its process and goes when it is deleted.
@MainActor final class InstalledApp {
    let bundle: AppBundle
    let containers: Containers
    let extensionContainers: Containers
    let contentExtensionContainers: Containers
    /// What `Bundle.main` is.
    let place: BundlePlace
    /// The files of its notifications.
    let attachments: AttachmentStore

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
    /// The token for pushes that announce calls.
    var voIPToken: Data?
    /// The same for that token.
    var isWaitingForVoIPToken = false
    /// Its requests to `BGTaskScheduler`.
    let scheduledTasks: ScheduledTasks
    /// How often it has not reported a call that a push announced.
    var unreportedCalls = 0

    var budget = BackgroundBudget()
    /// The one silent push that waits for better times, and its entry among the traces.
    var held: HeldPush?
    /// What the look at its delegates' methods found, since it was installed.
    var delegateReport = DelegateReport()
    /// Who waits for the person's answer to the permission sheet.
    var permissionWaiters: [PermissionRequest] = []

    struct HeldPush {
        let push: IncomingPush
        let entry: TraceEntry
    }

    struct PermissionRequest {
        let options: UNAuthorizationOptions
        let answer: @MainActor @Sendable (Bool) -> Void
    }

    /// - Parameters:
    ///   - bundle: the app.
    ///   - phone: the folder with everything of the phone.
    ///   - preferences: the settings of all its apps.
    init(bundle: AppBundle, phone: URL, preferences: PreferenceFiles) {
        self.bundle = bundle
        scheduledTasks = ScheduledTasks()
        let name = Containers.fileName(bundle.bundleID)
        func folder(_ path: String) -> URL { phone.appending(path: path, directoryHint: .isDirectory) }
        func containers(_ process: String) -> Containers {
            Containers(
                own: folder("Apps/\(name)/\(process)"), groups: folder("Groups"), appGroups: bundle.appGroups,
                preferences: preferences)
        }
        // Not among the app's own files, which are closed before the first unlock.
        place = BundlePlace(bundle, folder: folder("Bundles/\(name)"))
        attachments = AttachmentStore(folder: folder("Attachments/\(name)"))
        self.containers = containers("App")
        extensionContainers = containers("ServiceExtension")
        contentExtensionContainers = containers("ContentExtension")
    }

    /// An update keeps what the app before it had.
    func takeOver(from old: InstalledApp) {
        permission = old.permission
        list = old.list
        badge = old.badge
        token = old.token
        voIPToken = old.voIPToken
        isRegistered = old.isRegistered
        shortcutItems = old.shortcutItems
        sceneSession = old.sceneSession
        discardedScenes = old.discardedScenes
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
