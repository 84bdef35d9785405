import Foundation
@_spi(Simulation) import UserNotifications

/// The phone behind `UIApplication.shared` in an extension that has ended for this call: nothing has an effect.
@MainActor final class AbsentApplication: ApplicationBackend {
    let applicationState = UIApplication.State.background
    let isRegisteredForRemoteNotifications = false
    var badge = 0
    let isProtectedDataAvailable = false
    let backgroundRefreshStatus = UIBackgroundRefreshStatus.denied
    let backgroundTimeRemaining: TimeInterval = 0
    let isVoiceOverRunning = false
    let isReduceMotionOn = false
    var copiedText: String?
    var now: Date { SimulatedDevices.current?.now ?? .distantPast }
    let notificationSettings = UNNotificationSettings.Values()
    let scheduledOriginals: [AnyObject] = []
    var shortcutItems: [UIApplicationShortcutItem]?

    func registerForRemoteNotifications() {}
    func unregisterForRemoteNotifications() {}
    func beginBackgroundTask(
        name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier { .invalid }
    func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
    func canOpen(_ url: URL) -> Bool { false }
    func open(_ url: URL, universalLinksOnly: Bool, completion: @escaping @MainActor @Sendable (Bool) -> Void) {}
    func note(_ event: String, _ sentence: String) {}
    func schedule(_ content: UNNotificationContent, _ trigger: UNNotificationTrigger?, original: AnyObject) {}
    func cancelScheduled(where matches: (AnyObject) -> Bool) {}
    func setMinimumFetchInterval(_ seconds: TimeInterval) {}
    func inTurn(_ body: @escaping @MainActor @Sendable () -> Void) {}
    func viewsChanged() {}
    func noticed(_ event: SimulatedDeviceEvent) {}
}
