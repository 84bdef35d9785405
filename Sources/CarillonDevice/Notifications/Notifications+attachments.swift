import Foundation
@_spi(Simulation) import UserNotifications

/// Files that come with a notification.
extension Notifications {
    /// Returns the content with its files moved to the system's store.
    ///
    /// - Throws: `UNError` for a file that has gone.
    func stored(_ content: UNNotificationContent, of app: InstalledApp) throws(UNError) -> UNNotificationContent {
        guard !content.attachments.isEmpty else { return content }
        let bundles = [app.place.folder] + (app.bundle.resources.map { [$0] } ?? [])
        let taken = try app.attachments.take(content.attachments, copyingFrom: bundles) {
            kernel.randomUUID().uuidString
        }
        return content.withAttachments(taken)
    }

    /// Deletes the files of notifications that are gone; nothing may be under way.
    func tidyAttachments() {
        for app in apps.all {
            let requests =
                perApp[app].list.delivered.map(\.notification.request) + perApp[app].list.pending.map(\.request)
            app.attachments.keep(requests.flatMap(\.content.attachments))
        }
    }

    /// Returns the content of a push with its files moved to the system's store, without attachments if a file is missing.
    func stored(_ content: UNNotificationContent, of push: PushUnderWay) -> UNNotificationContent {
        do throws(UNError) {
            return try stored(content, of: push.app)
        } catch {
            push.entry.note("shown without its attachments: a file has gone since the extension attached it")
            return content.withAttachments([])
        }
    }
}
