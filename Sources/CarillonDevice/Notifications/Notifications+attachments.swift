import Foundation
@_spi(Simulation) import UserNotifications

/// The methods that store and delete the attached files of notifications.
extension Notifications {
    /// Moves a content's attached files to the system's store, and returns the content with the moved files.
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

    /// Deletes attached files that no delivered or pending notification of an app uses.
    ///
    /// Call this method only while no notification is being added or shown.
    func tidyAttachments() {
        for app in apps.all {
            let requests =
                perApp[app].list.delivered.map(\.notification.request) + perApp[app].list.pending.map(\.request)
            app.attachments.keep(requests.flatMap(\.content.attachments))
        }
    }

    /// Moves the attached files of a push's content to the system's store, and returns the content with the moved files.
    ///
    /// If a file is missing, returns the content without attachments.
    func stored(_ content: UNNotificationContent, of push: PushUnderWay) -> UNNotificationContent {
        do throws(UNError) {
            return try stored(content, of: push.app)
        } catch {
            push.entry.note("shown without its attachments: a file has gone since the extension attached it")
            return content.withAttachments([])
        }
    }
}
