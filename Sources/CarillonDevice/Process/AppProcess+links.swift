import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Where an app's links lead, and what it offers to other devices.
extension AppProcess {
    private static let systemSchemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "app-settings"]

    @MainActor func canOpen(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        if Self.systemSchemes.contains(scheme) { return true }
        guard phone?.app(forScheme: scheme) != nil else { return false }
        return bundle.urlSchemes.contains(scheme) || bundle.queriedSchemes.contains(scheme)
    }

    @MainActor func open(
        _ url: URL, universalLinksOnly: Bool, completion: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        let isOpened =
            applicationState != .background && gate.phase == .running
            && phone?.follow(url, from: bundle, universalLinksOnly: universalLinksOnly) ?? false
        ProcessScheduler.shared.run(as: self) { completion(isOpened) }
    }

    nonisolated func offer(_ activity: NSUserActivity) {
        phone?.mailbox.post { [weak self] _ in self?.application.currentUserActivity = activity }
    }

    nonisolated func withdraw(_ activity: NSUserActivity) {
        phone?.mailbox.post { [weak self] _ in
            if self?.application.currentUserActivity === activity { self?.application.currentUserActivity = nil }
        }
    }

    @MainActor func inTurn(_ body: @escaping @MainActor @Sendable () -> Void) {
        ProcessScheduler.shared.run(as: self, body)
    }

    @MainActor var shortcutItems: [UIApplicationShortcutItem]? {
        get { gate.phase == .running ? phone?.app(bundle.bundleID)?.shortcutItems : nil }
        set {
            guard gate.phase == .running else { return }
            phone?.app(bundle.bundleID)?.shortcutItems = newValue
            phone?.changed(.apps)
        }
    }

    @MainActor func setMinimumFetchInterval(_ seconds: TimeInterval) {
        guard gate.phase == .running else { return }
        phone?.app(bundle.bundleID)?.fetchIntervalSeconds = max(0, seconds)
    }
}
