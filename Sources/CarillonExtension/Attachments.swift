import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

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

/// The file that a push wants attached to its notification.
struct AttachmentRequest: Sendable {
    let url: URL
    /// The largest size, in bytes: the app's limit or Apple's for this type, whichever is lower.
    let byteLimit: Int

    /// `nil` when the payload names no file, or one that may not be attached (``AttachmentRule``).
    ///
    /// - Parameters:
    ///   - payload: the push's `userInfo`.
    ///   - byteLimit: the app's, ``CarillonServiceExtension/attachmentByteLimit``.
    init?(_ payload: [AnyHashable: Any], byteLimit: Int) {
        guard let url = AttachmentRule.url(in: payload),
            let limit = AttachmentRule.byteLimit(pathExtension: url.pathExtension)
        else { return nil }
        self.url = url
        self.byteLimit = min(limit, byteLimit)
    }
}

/// The files that may be attached to a notification, by Apple's rules
/// ([UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment)).
package enum AttachmentRule {
    private enum Kind: String {
        case audio
        case image
        case video

        /// `nil` for a file name extension that iOS does not show.
        init?(pathExtension: String) {
            switch pathExtension.lowercased() {
            case "aif", "aiff", "wav", "mp3", "m4a": self = .audio
            case "jpg", "jpeg", "gif", "png": self = .image
            case "mpg", "mpeg", "m2v", "mp4", "avi": self = .video
            default: return nil
            }
        }
    }

    /// The largest size of a file with this file name extension, in bytes; `nil` for a type that iOS does not show.
    package static func byteLimit(pathExtension: String) -> Int? {
        switch Kind(pathExtension: pathExtension) {
        case .audio: AppLimits.audioBytes
        case .image: AppLimits.imageBytes
        case .video: AppLimits.videoBytes
        case nil: nil
        }
    }

    /// Whether an answer of the type `mimeType` may be a file with this file name extension.
    ///
    /// A login page in the place of an image is not. An answer without a type, or with the type for any bytes, is
    /// accepted.
    static func allows(mimeType: String?, pathExtension: String) -> Bool {
        guard let mimeType = mimeType?.lowercased(), mimeType != "application/octet-stream" else { return true }
        return Kind(pathExtension: pathExtension).map { mimeType.hasPrefix("\($0.rawValue)/") } ?? false
    }

    /// Where the file of a payload is: `media_url` beside `aps`, or Infobip's `internalData.atts[0].url`.
    ///
    /// Only `https`, or `http` to this machine.
    static func url(in payload: [AnyHashable: Any]) -> URL? {
        let internalData = payload["internalData"] as? [String: Any]
        let first = (internalData?["atts"] as? [[String: Any]])?.first
        guard let text = payload["media_url"] as? String ?? first?["url"] as? String, let url = URL(string: text),
            byteLimit(pathExtension: url.pathExtension) != nil
        else { return nil }
        let isLocal = url.host == "127.0.0.1" || url.host == "localhost"
        return url.scheme == "https" || (url.scheme == "http" && isLocal) ? url : nil
    }
}

/// Downloads one file piece by piece to disk, and stops as soon as it is clear that the file cannot be attached.
///
/// That is clear by the answer's status, its type, its announced length, or the number of bytes received.
///
/// `@unchecked`: what changes is touched on the session's queue only, which is serial.
final class AttachmentDownload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let request: AttachmentRequest
    private let file: FileHandle
    private var byteCount = 0
    private var isUnwanted = false
    /// Yields once, when the download is over: why it failed, or `nil` when the file is complete.
    private let end = AsyncStream.makeStream(of: AttachmentLoader.Failure?.self)

    private init(_ request: AttachmentRequest, file: FileHandle) {
        self.request = request
        self.file = file
    }

    /// Downloads the file; returns when it is complete.
    ///
    /// - Parameters:
    ///   - request: which file, and how large it may be.
    ///   - file: created, and left to the caller to remove, whatever happens.
    /// - Throws: why there is no file: the server's answer, the size, or no time left.
    static func run(_ request: AttachmentRequest, to file: URL) async throws(AttachmentLoader.Failure) {
        guard FileManager.default.createFile(atPath: file.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: file)
        else { throw AttachmentLoader.Failure(reason: "there is no room for it") }
        let download = AttachmentDownload(request, file: handle)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.timeoutIntervalForResource = AppLimits.attachmentSeconds
        let session = URLSession(configuration: configuration, delegate: download, delegateQueue: nil)
        session.dataTask(with: request.url).resume()
        var outcome: AttachmentLoader.Failure? = AttachmentLoader.Failure(reason: "its time was over")
        for await failure in download.end.stream { outcome = failure }
        // Not before: Foundation on Linux, once told to cancel, keeps in memory what still comes in.
        session.invalidateAndCancel()
        if let outcome { throw outcome }
    }

    /// Ends the download; ``run(_:to:)`` returns at once, however much more the server would send.
    private func giveUp(_ reason: String) {
        isUnwanted = true
        finish(AttachmentLoader.Failure(reason: reason))
    }

    private func finish(_ failure: AttachmentLoader.Failure?) {
        end.continuation.yield(failure)
        end.continuation.finish()
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode
        if status != 200 {
            giveUp("its server said \(status ?? 0)")
        } else if !AttachmentRule.allows(mimeType: response.mimeType, pathExtension: request.url.pathExtension) {
            giveUp("its server calls it \(response.mimeType ?? "nothing")")
        } else if response.expectedContentLength > Int64(request.byteLimit) {
            giveUp("it is larger than \(request.byteLimit) bytes")
        }
        completionHandler(isUnwanted ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard !isUnwanted else { return }
        byteCount += data.count
        guard byteCount <= request.byteLimit else {
            return giveUp("it is larger than \(request.byteLimit) bytes")
        }
        do {
            try file.write(contentsOf: data)
        } catch {
            giveUp("it could not be written")
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(error == nil ? nil : AttachmentLoader.Failure(reason: "its server did not answer"))
    }
}
