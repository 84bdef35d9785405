import CarillonCore
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

    /// Why there is no attachment: a notification without its picture is better than none.
    struct Failure: Error {
        let reason: String
    }

    /// - Throws: ``Failure`` when the file cannot be had, is too large, or is not of a kind that iOS shows.
    func attachment(for wish: AttachmentWish, identifier: String) async throws(Failure) -> UNNotificationAttachment {
        let temporary = try await download(wish)
        defer { try? FileManager.default.removeItem(at: temporary) }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: temporary.path)[.size] as? NSNumber
            guard let size = size?.intValue, size <= wish.byteLimit else {
                throw Failure(reason: "it is larger than \(wish.byteLimit) bytes")
            }
            // Not the identifier itself: that comes from outside and may hold a slash.
            let name = Data(identifier.utf8.prefix(100)).hexadecimal
            let file = directory.appendingPathComponent("\(name).\(wish.url.pathExtension)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: temporary, to: file)
            return try UNNotificationAttachment(identifier: identifier, url: file)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(reason: "it could not be kept: \(error)")
        }
    }

    private func download(_ wish: AttachmentWish) async throws(Failure) -> URL {
        guard isOnline() else { throw Failure(reason: "the phone is offline") }
        guard let (file, response) = try? await URLSession.shared.download(from: wish.url) else {
            throw Failure(reason: "its server did not answer")
        }
        let status = (response as? HTTPURLResponse)?.statusCode
        guard status == 200,
            AttachmentRule.allows(mimeType: response.mimeType, pathExtension: wish.url.pathExtension)
        else {
            try? FileManager.default.removeItem(at: file)
            throw Failure(
                reason: status == 200
                    ? "its server calls it \(response.mimeType ?? "nothing")" : "its server said \(status ?? 0)")
        }
        return file
    }
}
