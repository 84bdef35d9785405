import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Opens URLs for the app, and keeps the `NSUserActivity` that the app offers to other devices with Handoff.
extension AppProcess {
    private static let systemSchemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "app-settings"]

    @MainActor func canOpen(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        if Self.systemSchemes.contains(scheme) { return true }
        guard system?.person.app(forScheme: scheme) != nil else { return false }
        return bundle.urlSchemes.contains(scheme) || bundle.queriedSchemes.contains(scheme)
    }

    @MainActor func open(
        _ url: URL, universalLinksOnly: Bool, completion: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        let isOpened =
            applicationState != .background && gate.phase == .running
            && system?.person.follow(url, from: bundle, universalLinksOnly: universalLinksOnly) ?? false
        ProcessScheduler.shared.run(as: self, "completion") { completion(isOpened) }
    }

    nonisolated func offer(_ activity: NSUserActivity) {
        kernel.mailbox.post { [weak self] in self?.application.currentUserActivity = activity }
    }

    nonisolated func withdraw(_ activity: NSUserActivity) {
        kernel.mailbox.post { [weak self] in
            if self?.application.currentUserActivity === activity { self?.application.currentUserActivity = nil }
        }
    }

    @MainActor func inTurn(_ body: @escaping @MainActor @Sendable () -> Void) {
        ProcessScheduler.shared.run(as: self, "block", body)
    }

    @MainActor var shortcutItems: [UIApplicationShortcutItem]? {
        get { installed.flatMap { system?.life.shortcutItems(of: $0) } }
        set {
            guard gate.phase == .running else { return }
            if let installed { system?.life.set(newValue, of: installed) }
            kernel.changed(.apps)
        }
    }

    @MainActor func setMinimumFetchInterval(_ seconds: TimeInterval) {
        if let installed { system?.background.setFetchInterval(max(0, seconds), of: installed) }
    }
}
