import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A running app: what `UIApplication.shared` leads to.
final class AppProcess: RunningProcess, SimulatedAppProcess, ApplicationBackend, @unchecked Sendable {
    // `@unchecked`: what this class adds is confined to the main actor.
    @MainActor var applicationState = UIApplication.State.background
    /// Whether the center had a delegate when launching was over: a tap that launched the app reaches only such a one.
    @MainActor var hadCenterDelegateInTime = false
    /// What is worth saying where the center has no delegate any more; `nil` for an app that never set one in time.
    @MainActor var lostDelegate: String? {
        guard hadCenterDelegateInTime, notificationCenter.delegate == nil else { return nil }
        return
            "the notification center's delegate no longer exists: the center holds it weakly, so the app must keep it, "
            + "for example in a property of its app delegate"
    }
    /// Whether the app's launch methods returned `true`: `false` says that they have dealt with why it was launched.
    @MainActor var takesLaunchReason = true
    /// When the time in the background is over; the latest of all grants.
    @MainActor var backgroundDeadline: Timestamp?
    @MainActor var backgroundTasks: [UIBackgroundTaskIdentifier: BackgroundTask] = [:]
    /// What the app is told as soon as it runs again.
    @MainActor var owedAnnouncements: Set<Notification.Name> = []
    /// The app has learnt that protected files are, or will be, closed.
    @MainActor var missesProtectedData = false
    @MainActor private var lastTaskNumber = 0
    @MainActor private var storedApplication: UIApplication?
    @MainActor let screen: UIScreen

    struct BackgroundTask {
        let name: String?
        let grant: ProcessGate.Grant
        let expirationHandler: (@MainActor @Sendable () -> Void)?
        let timer: ScheduledAction
    }

    @MainActor init(bundle: AppBundle, containers: Containers, phone: Phone, screen: ScreenShape) {
        self.screen = UIScreen(
            size: CGSize(width: screen.width, height: screen.height), scale: CGFloat(screen.scale),
            safeAreaInsets: UIEdgeInsets(
                top: CGFloat(screen.safeAreaTop), bottom: CGFloat(screen.safeAreaBottom)))
        super.init(bundle: bundle, containers: containers, phone: phone)
    }

    @MainActor var application: UIApplication {
        if let storedApplication { return storedApplication }
        let application = UIApplication(backend: self)
        if gate.phase != .ended { storedApplication = application }
        return application
    }

    @MainActor override func end() {
        super.end()
        for task in backgroundTasks.values { task.timer.cancel() }
        backgroundTasks = [:]
        storedApplication = nil
    }

    // MARK: ApplicationBackend

    /// The app as the phone has it, unless this process is over or stopped: then the app's code has no business here.
    @MainActor private var installed: InstalledApp? {
        gate.phase == .running ? phone?.app(bundle.bundleID) : nil
    }

    @MainActor var isRegisteredForRemoteNotifications: Bool { installed?.isRegistered ?? false }

    @MainActor var badge: Int {
        get { installed?.badge ?? 0 }
        set {
            guard installed != nil else { return }
            if newValue < 0 {
                phone?.hideBadge(of: bundle.bundleID)
            } else {
                _ = phone?.setBadge(newValue, of: bundle.bundleID)
            }
        }
    }

    @MainActor var isProtectedDataAvailable: Bool { phone?.isProtectedDataAvailable ?? false }

    @MainActor var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        installed?.isBackgroundRefreshOn ?? false ? .available : .denied
    }

    @MainActor var backgroundTimeRemaining: TimeInterval {
        guard applicationState == .background, let deadline = backgroundDeadline, let phone else {
            return .greatestFiniteMagnitude
        }
        return max(0, Double((deadline - phone.clock.now).wholeMilliseconds) / 1000)
    }

    @MainActor var isVoiceOverRunning: Bool { phone?.isVoiceOverRunning ?? false }
    @MainActor var isReduceMotionOn: Bool { phone?.isReduceMotionOn ?? false }

    @MainActor var copiedText: String? {
        get { installed == nil ? nil : phone?.copiedText }
        set { if installed != nil { phone?.copiedText = newValue } }
    }

    @MainActor func registerForRemoteNotifications() { if installed != nil { phone?.register(self) } }

    @MainActor func unregisterForRemoteNotifications() { if installed != nil { phone?.unregister(bundle.bundleID) } }

    @MainActor func beginBackgroundTask(
        name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier {
        guard gate.phase == .running, let phone else { return .invalid }
        lastTaskNumber += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: lastTaskNumber)
        let timer = phone.schedule(afterSeconds: phone.rules.backgroundTaskSeconds) { [weak self] phone in
            if let self { phone.backgroundTaskExpired(identifier, of: self) }
        }
        backgroundTasks[identifier] = BackgroundTask(
            name: name, grant: gate.grant(), expirationHandler: expirationHandler, timer: timer)
        backgroundDeadline = phone.clock.now + .seconds(phone.rules.backgroundTaskSeconds)
        return identifier
    }

    @MainActor func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        guard let task = backgroundTasks.removeValue(forKey: identifier) else { return }
        task.timer.cancel()
        gate.take(task.grant)
        phone?.changed(.lifeCycle(bundleID: bundle.bundleID))
    }

    @MainActor func viewsChanged() { phone?.changed(.views(bundleID: bundle.bundleID)) }

    @MainActor func noticed(_ event: SimulatedDeviceEvent) { phone?.noticed(event, by: bundle.bundleID) }
}
