import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

/// Downloads a notification's attachment, straight to a file: an extension has about 24 MB of memory.
struct AttachmentLoader {
    let isOnline: @Sendable () -> Bool
    /// Where the file is kept until iOS moves it away.
    let directory: URL

    /// Why there is no attachment; the notification is shown without it.
    struct Failure: Error {
        package let reason: String
    }

    /// Downloads the file and makes an attachment of it.
    ///
    /// - Parameters:
    ///   - request: which file, and how large it may be.
    ///   - identifier: the notification's.
    /// - Returns: the attachment, with the notification's identifier.
    /// - Throws: ``Failure`` when the file cannot be downloaded, is too large, or is not of a type that iOS shows.
    func attachment(for request: AttachmentRequest, identifier: String) async throws(Failure)
        -> UNNotificationAttachment
    {
        guard isOnline() else { throw Failure(reason: "the phone is offline") }
        // Not the identifier itself: that comes from outside and may hold a slash.
        let name = Data(identifier.utf8.prefix(AppLimits.attachmentNameBytes)).hexadecimal
        // Unique: a push that the network doubles runs two extensions for one identifier.
        let part = FileManager.default.temporaryDirectory
            .appendingPathComponent(
                "\(name.prefix(AppLimits.downloadNameCharacters))-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: part) }
        try await AttachmentDownload.run(request, to: part)
        do {
            let file = directory.appendingPathComponent("\(name).\(request.url.pathExtension)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: part, to: file)
            return try UNNotificationAttachment(identifier: identifier, url: file)
        } catch {
            throw Failure(reason: "it could not be kept: \(error)")
        }
    }
}
