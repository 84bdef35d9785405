import Foundation
@_spi(Simulation) import UserNotifications

/// The attached files of notifications.
extension Notifications {
    /// Returns the content with its files moved to the system's store.
    ///
    /// - Throws: `UNError` for a missing file.
    func stored(_ content: UNNotificationContent, of app: InstalledApp) throws(UNError) -> UNNotificationContent {
        guard !content.attachments.isEmpty else { return content }
        let bundles = [app.place.folder] + (app.bundle.resources.map { [$0] } ?? [])
        let taken = try app.attachments.take(content.attachments, copyingFrom: bundles) {
            kernel.randomUUID().uuidString
        }
        return content.withAttachments(taken)
    }

    /// Deletes the files of removed notifications; call it only while nothing is in progress.
    func tidyAttachments() {
        for app in apps.all {
            let requests =
                perApp[app].list.delivered.map(\.notification.request) + perApp[app].list.pending.map(\.request)
            app.attachments.keep(requests.flatMap(\.content.attachments))
        }
    }

    /// Returns a push's content with its files moved to the system's store, without attachments if a file is missing.
    func stored(_ content: UNNotificationContent, of push: PushUnderWay) -> UNNotificationContent {
        do throws(UNError) {
            return try stored(content, of: push.app)
        } catch {
            push.entry.note("shown without its attachments: a file has gone since the extension attached it")
            return content.withAttachments([])
        }
    }
}
