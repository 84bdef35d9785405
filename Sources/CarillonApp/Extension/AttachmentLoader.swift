import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Fetches what is attached to a notification, straight to a file: an extension has about 24 MB of memory.
struct AttachmentLoader {
    let isOnline: @Sendable () -> Bool
    /// Where the file is kept until iOS takes it.
    let directory: URL

    /// - Returns: `nil` when the file cannot be had, is too large, or is not of a kind that iOS shows: a notification
    ///   without its picture is better than none.
    func attachment(from url: URL, identifier: String) async -> UNNotificationAttachment? {
        guard isOnline(), let limit = AttachmentRule.byteLimit(pathExtension: url.pathExtension),
            let (temporary, response) = try? await URLSession.shared.download(from: url),
            (response as? HTTPURLResponse)?.statusCode == 200
        else { return nil }
        defer { try? FileManager.default.removeItem(at: temporary) }
        let size = (try? FileManager.default.attributesOfItem(atPath: temporary.path)[.size] as? NSNumber)?.intValue
        guard let size, size <= limit else { return nil }
        let file = directory.appendingPathComponent("\(identifier).\(url.pathExtension)")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: file)
        guard (try? FileManager.default.moveItem(at: temporary, to: file)) != nil else { return nil }
        return try? UNNotificationAttachment(identifier: identifier, url: file)
    }
}
