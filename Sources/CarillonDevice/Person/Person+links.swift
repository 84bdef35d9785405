import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The person's use of links from one app to another, and of activities from another device.
extension Person {
    /// Follows a link that is in none of the installed apps, for example in Messages.
    ///
    /// - Returns: the bundle ID of the opened app; `nil` for Safari.
    /// - Throws: ``PhoneError`` if the phone is off or locked, or (`unknownLink`) if nothing on the phone opens such a link.
    func followLink(_ url: URL) async throws(PhoneError) -> String? {
        try device.checkUsable()
        guard let target = target(of: url, from: nil) else {
            guard Self.isWeb(url) else {
                throw PhoneError(
                    .unknownLink,
                    "No app on \(device.name) opens \(url.scheme ?? "relative") links: add the scheme to urlSchemes of "
                        + "an AppBundle."
                )
            }
            records.opened(url, by: OpeningReason.linkSource, inApp: false)
            await pressHome()
            return nil
        }
        try await open(target.app, for: target.reason)
        return target.app.bundle.bundleID
    }

    func openURL(_ url: URL, in app: InstalledApp) async throws(PhoneError) {
        guard Self.isWeb(url) else { return try await open(app, for: .url(url, from: OpeningReason.linkSource)) }
        guard app.bundle.hasUniversalLink(url) else {
            throw PhoneError(
                .unknownLink,
                "\(url.host() ?? "This page") is no associated domain of \(app.bundle.bundleID): add "
                    + "applinks:\(url.host() ?? "example.com") to the associatedDomains of its AppBundle.")
        }
        try await open(app, for: .activity(.browsing(url)))
    }

    func handOff(
        _ activity: NSUserActivity, to app: InstalledApp, failure: (any Error)?
    ) async throws(PhoneError) {
        try device.checkUsable()
        guard app.bundle.userActivityTypes.contains(activity.activityType) else {
            throw PhoneError(
                .unknownLink,
                "\(app.bundle.bundleID) does not continue \(activity.activityType): add it to userActivityTypes of its "
                    + "AppBundle."
            )
        }
        try await open(
            app, for: .activity(ContinuedActivity(activity.duplicate(), isHandoff: true, failure: failure)))
    }

    func offeredActivity(of bundleID: String) async -> NSUserActivity? {
        guard let process = life.process(of: bundleID), process.applicationState != .background,
            let activity = process.application.currentUserActivity, activity.isEligibleForHandoff
        else { return nil }
        await kernel.call(process, "willSaveUserActivity") {
            let application = process.application
            if activity.needsSave {
                activity.needsSave = false
                activity.delegate?.userActivityWillSave(activity)
            }
            if process.bundle.usesScenes {
                for scene in application.connectedScenes { scene.delegate?.scene(scene, didUpdate: activity) }
            } else {
                application.delegate?.application(application, didUpdate: activity)
            }
        }
        return activity.duplicate()
    }

    // MARK: links from an app

    /// Opens a link for an app that has asked the system to open it.
    ///
    /// With `universalLinksOnly`, the phone opens the link only if it is a universal link.
    ///
    /// - Returns: whether the link was opened.
    func follow(_ url: URL, from source: AppBundle, universalLinksOnly: Bool) -> Bool {
        let target = target(of: url, from: source)
        if universalLinksOnly, !(target?.isUniversal ?? false) { return false }
        let isTheSystems = ["mailto", "tel", "sms", "app-settings"].contains(url.scheme?.lowercased() ?? "")
        guard target != nil || Self.isWeb(url) || isTheSystems else { return false }
        records.opened(url, by: source.bundleID, inApp: false)
        guard let target else {
            if url.scheme?.lowercased() == "app-settings" {
                kernel.tasks.begin("opening Settings") { [self] in try? await openSettings() }
            }
            return true
        }
        kernel.tasks.begin("opening a link in \(target.app.bundle.bundleID)") { [self] in
            guard apps.has(target.app), !device.isLocked else { return }
            await bringToFront(target.app, for: target.reason)
        }
        return true
    }

    func app(forScheme scheme: String) -> InstalledApp? {
        apps.all.first { $0.bundle.urlSchemes.contains(scheme) }
    }

    private struct LinkTarget {
        let app: InstalledApp
        let reason: OpeningReason
        let isUniversal: Bool
    }

    /// Returns the app that opens a link; `nil` if no app does.
    ///
    /// - Parameters:
    ///   - url: the link.
    ///   - source: the app in which the person follows the link; `nil` if the link is in no installed app. A universal link
    ///     never opens `source`, because that app could have handled the link itself.
    /// - Returns: the app, and the reason with which the app is opened.
    private func target(of url: URL, from source: AppBundle?) -> LinkTarget? {
        if Self.isWeb(url) {
            let owner = apps.all.first {
                $0.bundle.hasUniversalLink(url) && $0.bundle.bundleID != source?.bundleID
            }
            guard let owner else { return nil }
            return LinkTarget(app: owner, reason: .activity(.browsing(url)), isUniversal: true)
        }
        guard let scheme = url.scheme?.lowercased(), let app = app(forScheme: scheme) else { return nil }
        return LinkTarget(
            app: app, reason: .url(url, from: source?.bundleID ?? OpeningReason.linkSource), isUniversal: false)
    }

    static func isWeb(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased() ?? "") }
}
