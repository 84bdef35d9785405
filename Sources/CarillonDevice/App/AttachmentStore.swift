import Foundation
@_spi(Simulation) import UserNotifications

/// The folder into which the system moves an app's attachments when it accepts a notification request.
///
/// See [UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment).
@MainActor struct AttachmentStore {
    /// The folder, which the phone deletes together with the app.
    let folder: URL

    nonisolated init(folder: URL) { self.folder = folder }

    /// Moves the attachments' files into the store, or copies them if they are in the app's bundle or already in the store.
    ///
    /// - Parameters:
    ///   - attachments: the app's attachments.
    ///   - bundles: folders whose files are copied instead of moved.
    ///   - name: returns a unique folder name.
    /// - Returns: the attachments, with their files in the store.
    /// - Throws: `attachmentMoveIntoDataStoreFailed` if a file no longer exists, `attachmentNotInDataStore` if it was in the store.
    func take(
        _ attachments: [UNNotificationAttachment], copyingFrom bundles: [URL], name: () -> String
    ) throws(UNError) -> [UNNotificationAttachment] {
        var taken: [UNNotificationAttachment] = []
        for attachment in attachments {
            let place = folder.appending(path: name(), directoryHint: .isDirectory)
            let file = place.appending(path: attachment.url.lastPathComponent)
            do {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                if (bundles + [folder]).contains(where: { Self.isBelow($0, attachment.url) }) {
                    // Copies the contents, because a file in the bundle may be a symbolic link.
                    try Data(contentsOf: attachment.url).write(to: file)
                } else {
                    try FileManager.default.moveItem(at: attachment.url, to: file)
                }
            } catch {
                try? FileManager.default.removeItem(at: place)
                throw UNError(
                    Self.isBelow(folder, attachment.url)
                        ? .attachmentNotInDataStore : .attachmentMoveIntoDataStoreFailed)
            }
            taken.append(attachment.moved(to: file))
        }
        return taken
    }

    /// Deletes the files of an app's delivered notifications, because the system is about to remove the notifications.
    ///
    /// Files that a pending request uses too stay.
    func deleteFiles(ofDeliveredIn list: NotificationList) {
        let kept = Set(list.pending.flatMap(\.request.content.attachments).map(\.url))
        for attachment in list.delivered.flatMap(\.notification.request.content.attachments)
        where !kept.contains(attachment.url) {
            try? FileManager.default.removeItem(at: attachment.url.deletingLastPathComponent())
        }
    }

    /// Deletes all files except the files of the attachments in `kept`.
    func keep(_ kept: [UNNotificationAttachment]) {
        let names = Set(kept.map { $0.url.deletingLastPathComponent().lastPathComponent })
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in all where !names.contains(name) {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private static func isBelow(_ folder: URL, _ file: URL) -> Bool {
        file.standardizedFileURL.path.hasPrefix(folder.standardizedFileURL.path + "/")
    }
}
