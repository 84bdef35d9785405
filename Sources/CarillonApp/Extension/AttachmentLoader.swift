import CarillonCore
import Foundation
import UserNotifications

/// Fetches what is attached to a notification, straight to a file: an extension has about 24 MB of memory.
struct AttachmentLoader {
    let isOnline: @Sendable () -> Bool
    /// Where the file is kept until iOS takes it.
    let directory: URL

    /// Why there is no attachment: a notification without its picture is better than none.
    struct Failure: Error {
        let reason: String
    }

    /// - Throws: ``Failure`` when the file cannot be had, is too large, or is not of a kind that iOS shows.
    func attachment(for wish: AttachmentRequest, identifier: String) async throws(Failure) -> UNNotificationAttachment {
        guard isOnline() else { throw Failure(reason: "the phone is offline") }
        // Not the identifier itself: that comes from outside and may hold a slash.
        let name = Data(identifier.utf8.prefix(100)).hexadecimal
        // One of its own: a push that the network doubles runs two extensions for one identifier.
        let part = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(name.prefix(64))-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: part) }
        try await AttachmentDownload.run(wish, to: part)
        do {
            let file = directory.appendingPathComponent("\(name).\(wish.url.pathExtension)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: part, to: file)
            return try UNNotificationAttachment(identifier: identifier, url: file)
        } catch {
            throw Failure(reason: "it could not be kept: \(error)")
        }
    }
}
