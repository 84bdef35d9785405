import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Links from one app to another, and what goes on from another device.
extension Phone {
    /// Follows a link in another app, such as Messages: it opens the app whose universal link or URL scheme it is.
    ///
    /// A web page that belongs to no app opens in Safari.
    ///
    /// - Returns: the bundle ID of the app that it has opened; `nil` for Safari.
    /// - Throws: ``PhoneError``: off, locked, or (`unknownLink`) nothing on the phone opens such a link.
    @discardableResult
    public func followLink(_ url: URL) async throws(PhoneError) -> String? {
        try checkUsable()
        guard let target = target(of: url, from: nil) else {
            guard Self.isWeb(url) else {
                throw PhoneError(
                    .unknownLink,
                    "No app on \(name) opens \(url.scheme ?? "relative") links: add the scheme to urlSchemes of an "
                        + "AppBundle."
                )
            }
            opened(url, by: OpeningReason.linkSource, inApp: false)
            await pressHome()
            return nil
        }
        hideBanner()
        await bringToFront(target.app, for: target.reason)
        return target.app.bundle.bundleID
    }

    /// Continues here what was begun on another device, as the Handoff icon in the app switcher does.
    ///
    /// - Parameters:
    ///   - activity: the app gets a copy, as of ``offeredActivity(of:)`` of another phone.
    ///   - bundleID: the app that continues.
    ///   - failure: why the activity does not come after all, such as a device out of reach; the default is none.
    /// - Throws: ``PhoneError``: off, locked, or (`unknownLink`) the app does not list the type
    ///   (``AppBundle/userActivityTypes``).
    public func handOff(
        _ activity: NSUserActivity, to bundleID: String, failure: (any Error)? = nil
    ) async throws(PhoneError) {
        let app = try installed(bundleID)
        try checkUsable()
        guard app.bundle.userActivityTypes.contains(activity.activityType) else {
            throw PhoneError(
                .unknownLink,
                "\(bundleID) does not continue \(activity.activityType): add it to userActivityTypes of its "
                    + "AppBundle."
            )
        }
        hideBanner()
        await bringToFront(
            app, for: .activity(ContinuedActivity(activity.duplicate(), isHandoff: true, failure: failure)))
    }

    /// The activity that the app offers to other devices at this moment; `nil` when it offers none.
    ///
    /// The activity's delegate and the app's are asked to fill it in once more.
    public func offeredActivity(of bundleID: String) async -> NSUserActivity? {
        guard let process = apps[bundleID]?.process, process.applicationState != .background,
            let activity = process.application.currentUserActivity, activity.isEligibleForHandoff
        else { return nil }
        await call(process) {
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

    // MARK: inside

    /// An app follows a link out of itself.
    ///
    /// - Returns: whether something was opened.
    func follow(_ url: URL, from source: AppBundle, universalLinksOnly: Bool) -> Bool {
        let target = target(of: url, from: source)
        if universalLinksOnly, !(target?.isUniversal ?? false) { return false }
        let isTheSystems = ["mailto", "tel", "sms", "app-settings"].contains(url.scheme?.lowercased() ?? "")
        guard target != nil || Self.isWeb(url) || isTheSystems else { return false }
        opened(url, by: source.bundleID, inApp: false)
        guard let target else {
            if url.scheme?.lowercased() == "app-settings" {
                tasks.begin("opening Settings", on: self) { phone in try? await phone.openSettings() }
            }
            return true
        }
        tasks.begin("opening a link in \(target.app.bundle.bundleID)", on: self) { phone in
            guard phone.apps[target.app.bundle.bundleID] === target.app, !phone.isLocked else { return }
            await phone.bringToFront(target.app, for: target.reason)
        }
        return true
    }

    func app(forScheme scheme: String) -> InstalledApp? {
        apps.values.filter { $0.bundle.urlSchemes.contains(scheme) }.min { $0.bundle.bundleID < $1.bundle.bundleID }
    }

    private struct LinkTarget {
        let app: InstalledApp
        let reason: OpeningReason
        let isUniversal: Bool
    }

    /// The app that a link leads to; `nil` where none takes it.
    ///
    /// - Parameters:
    ///   - url: the link.
    ///   - source: the app that follows it. Its own universal links lead to Safari, since it has had its chance.
    /// - Returns: the app, and how it is told of the link.
    private func target(of url: URL, from source: AppBundle?) -> LinkTarget? {
        if Self.isWeb(url) {
            let owners = apps.values.filter {
                $0.bundle.hasUniversalLink(url) && $0.bundle.bundleID != source?.bundleID
            }
            guard let owner = owners.min(by: { $0.bundle.bundleID < $1.bundle.bundleID }) else { return nil }
            return LinkTarget(app: owner, reason: .activity(.browsing(url)), isUniversal: true)
        }
        guard let scheme = url.scheme?.lowercased(), let app = app(forScheme: scheme) else { return nil }
        return LinkTarget(
            app: app, reason: .url(url, from: source?.bundleID ?? OpeningReason.linkSource), isUniversal: false)
    }

    static func isWeb(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased() ?? "") }
}
