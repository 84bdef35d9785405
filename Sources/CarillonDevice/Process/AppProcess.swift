import CallKit
import CarillonCore
import Foundation
import PushKit
import Synchronization
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A running app: the object behind `UIApplication.shared`.
final class AppProcess: RunningProcess, SimulatedAppProcess, ApplicationBackend, @unchecked Sendable {
    // `@unchecked`: the state of this class is confined to the main actor.
    @MainActor var applicationState = UIApplication.State.background {
        didSet { liveActivities.setInFront(applicationState != .background) }
    }
    /// Whether the notification center had a delegate when the launch ended.
    ///
    /// A delegate that is set later misses the tap that launched the app.
    @MainActor var hadCenterDelegateInTime = false
    /// A warning that the notification center's delegate no longer exists.
    ///
    /// It is `nil` if the delegate exists, or if the app had set no delegate when the launch ended.
    @MainActor var lostDelegate: String? {
        guard hadCenterDelegateInTime, notificationCenter.delegate == nil else { return nil }
        return
            "the notification center's delegate no longer exists: the center holds it weakly, so the app must keep it, "
            + "for example in a property of its app delegate"
    }
    /// Whether launching is over; readable by app code on any thread.
    nonisolated let isLaunched = LockedValue(false)
    /// Whether the app's launch methods returned `true`; `false` means that the app has already handled the reason for the
    /// launch.
    @MainActor var takesLaunchReason = true
    /// The end of the background time that the app was given last, by the phone's clock; `nil` if it was given none.
    ///
    /// `UIApplication.backgroundTimeRemaining` counts down to this time.
    @MainActor var backgroundDeadline: Timestamp?
    @MainActor var backgroundTasks: [UIBackgroundTaskIdentifier: BackgroundTask] = [:]
    /// The names of the notifications that the phone posts to the app as soon as the app runs again.
    @MainActor var owedAnnouncements: Set<Notification.Name> = []
    /// Whether the app believes that protected files are unavailable, so that the phone must tell it when they are available
    /// again.
    ///
    /// The value becomes `true` if the files are unavailable when the app is launched, and when the app is told that they
    /// will become unavailable.
    @MainActor var missesProtectedData = false
    /// The app's PushKit registries (`PKPushRegistry`), in the order in which the app made them.
    @MainActor var registries: [WeakObject<PKPushRegistry>] = []
    @MainActor var providers: [WeakObject<CXProvider>] = []
    @MainActor var observers: [WeakObject<CXCallObserver>] = []
    /// The number of incoming calls that the app has reported to CallKit, from any thread, including calls that CallKit refused.
    nonisolated let reportedCalls = Atomic<Int>(0)
    /// The task handlers that the app's code registers, from any thread.
    nonisolated let taskHandlers = TaskHandlers()
    nonisolated let scheduledTasks: ScheduledTasks
    nonisolated let callsOnPhone: LockedValue<[PhoneCall]>
    nonisolated let voIPToken: LockedValue<Data?>
    nonisolated let liveActivities: ProcessActivities
    @MainActor private var lastTaskNumber = 0
    @MainActor private var storedApplication: UIApplication?
    @MainActor private let appScreen: UIScreen
    @MainActor override var screen: UIScreen { appScreen }

    struct BackgroundTask {
        let name: String?
        let grant: ProcessGate.Grant
        let expirationHandler: (@MainActor @Sendable () -> Void)?
        let timer: ScheduledAction
    }

    @MainActor init(
        of app: InstalledApp, containers: Containers, on device: DeviceState, screen: ScreenShape,
        system: (any AppSystem)?
    ) {
        appScreen = UIScreen(screen)
        callsOnPhone = LockedValue(system?.telephony.current ?? [])
        voIPToken = LockedValue(system?.connection.callToken(of: app))
        liveActivities = ProcessActivities(system?.liveActivities.view(of: app) ?? ProcessActivities.View())
        scheduledTasks = system?.background.scheduledTasks(of: app) ?? ScheduledTasks()
        super.init(of: app, containers: containers, on: device, system: system)
    }

    @MainActor var application: UIApplication {
        if let storedApplication { return storedApplication }
        let application = UIApplication(backend: self)
        if gate.phase != .ended { storedApplication = application }
        return application
    }

    @MainActor func makeViewController(storyboard: String, identifier: String?) -> UIViewController? {
        let storyboard = bundle.storyboards[storyboard]
        return (identifier.map { storyboard?.controllers[$0] } ?? storyboard?.makeInitial)?()
    }

    @MainActor override func end() {
        super.end()
        for task in backgroundTasks.values { task.timer.cancel() }
        backgroundTasks = [:]
        storedApplication = nil
    }

    // MARK: ApplicationBackend

    /// The installed app; `nil` if this process has ended or is suspended, so that its code has no effect.
    @MainActor var installed: InstalledApp? {
        gate.phase == .running ? system?.apps[bundle.bundleID] : nil
    }

    @MainActor var isRegisteredForRemoteNotifications: Bool {
        installed.flatMap { system?.connection.isRegistered($0) } ?? false
    }

    @MainActor var badge: Int {
        get { installed.flatMap { system?.notifications.badge(of: $0) } ?? 0 }
        set {
            guard installed != nil else { return }
            if newValue < 0 {
                system?.notifications.hideBadge(of: bundle.bundleID)
            } else {
                _ = system?.notifications.setBadge(newValue, of: bundle.bundleID)
            }
        }
    }

    @MainActor var isProtectedDataAvailable: Bool { system?.device.isProtectedDataAvailable ?? false }

    @MainActor var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        installed.flatMap { system?.device.settings(of: $0) }?.isBackgroundRefreshOn ?? false ? .available : .denied
    }

    @MainActor var backgroundTimeRemaining: TimeInterval {
        guard applicationState == .background, let deadline = backgroundDeadline else {
            return .greatestFiniteMagnitude
        }
        return max(0, Double((deadline - kernel.now).wholeMilliseconds) / 1000)
    }

    @MainActor var isVoiceOverRunning: Bool { system?.device.settings.isVoiceOverRunning ?? false }
    @MainActor var isReduceMotionOn: Bool { system?.device.settings.isReduceMotionOn ?? false }

    @MainActor var copiedText: String? {
        get { installed == nil ? nil : system?.device.copiedText }
        set { if installed != nil { system?.device.copiedText = newValue } }
    }

    @MainActor func registerForRemoteNotifications() { if let installed { system?.connection.register(installed) } }

    @MainActor func unregisterForRemoteNotifications() { if let installed { system?.connection.unregister(installed) } }

    @MainActor func beginBackgroundTask(
        name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier {
        guard gate.phase == .running, let system else { return .invalid }
        lastTaskNumber += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: lastTaskNumber)
        let seconds = kernel.rules.backgroundTaskSeconds
        let timer = kernel.schedule(afterSeconds: seconds) { [weak self, weak background = system.background] in
            if let self { background?.backgroundTaskExpired(identifier, of: self) }
        }
        backgroundTasks[identifier] = BackgroundTask(
            name: name, grant: gate.grant(), expirationHandler: expirationHandler, timer: timer)
        backgroundDeadline = kernel.now + .seconds(seconds)
        return identifier
    }

    @MainActor func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        guard let task = backgroundTasks.removeValue(forKey: identifier) else { return }
        task.timer.cancel()
        gate.take(task.grant)
        kernel.changed(.lifeCycle(bundleID: bundle.bundleID))
    }

    /// Ends a permission to run in the background, and tells the phone if this suspends the app.
    @MainActor func end(_ grant: ProcessGate.Grant) {
        if gate.take(grant) { kernel.changed(.lifeCycle(bundleID: bundle.bundleID)) }
    }

    @MainActor func viewsChanged() { kernel.changed(.views(bundleID: bundle.bundleID)) }

    @MainActor func noticed(_ event: SimulatedDeviceEvent) { system?.records.noticed(event, by: bundle.bundleID) }
}
