import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Downloads a notification's attachment straight to a file, because an extension has only about 24 MB of memory.
struct AttachmentLoader {
    let isOnline: @Sendable () -> Bool
    /// Where the file is kept until iOS moves it away.
    let directory: URL

    /// The reason why there is no attachment; the notification is shown without it.
    struct Failure: Error {
        package let reason: String
    }

    /// Downloads the file and makes an attachment of it.
    ///
    /// - Parameters:
    ///   - request: the file's address and its size limit.
    ///   - identifier: the notification's identifier.
    /// - Returns: the attachment, with the notification's identifier.
    /// - Throws: ``Failure`` if the file cannot be downloaded, is too large, or is not of a type that iOS shows.
    func attachment(for request: AttachmentRequest, identifier: String) async throws(Failure)
        -> UNNotificationAttachment
    {
        if let refusal = request.refusal { throw Failure(reason: refusal) }
        guard isOnline() else { throw Failure(reason: "the phone is offline") }
        // Not the identifier itself, because the sender may have put a slash into it.
        let name = Data(identifier.utf8.prefix(AppLimits.attachmentNameBytes)).hexadecimal
        // Unique, because the network may deliver a push twice and so start two extensions for one identifier.
        let part = FileManager.default.temporaryDirectory
            .appendingPathComponent(
                "\(name.prefix(AppLimits.downloadNameCharacters))-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: part) }
        let pathExtension = try await AttachmentDownload.run(request, to: part)
        let file = directory.appendingPathComponent("\(name).\(pathExtension)")
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: part, to: file)
            return try UNNotificationAttachment(identifier: identifier, url: file)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw Failure(reason: "it could not be kept: \(error)")
        }
    }
}

/// A file that a push asks to attach to its notification.
struct AttachmentRequest: Sendable {
    let url: URL
    /// The reason why the file may not be fetched; `nil` if it may.
    let refusal: String?
    private let ownLimit: Int

    /// Reads the file's address from a payload; `nil` if the payload names no file.
    ///
    /// - Parameters:
    ///   - payload: the push's `userInfo`.
    ///   - byteLimit: the app's limit, ``CarillonServiceExtension/attachmentByteLimit``.
    init?(_ payload: [AnyHashable: Any], byteLimit: Int) {
        guard let text = AttachmentRule.text(in: payload) else { return nil }
        let url = URL(string: text)
        refusal = AttachmentRule.refusal(of: url)
        self.url = url ?? URL(fileURLWithPath: "/")
        ownLimit = byteLimit
    }

    /// Returns the largest allowed size in bytes: the lower of the app's limit and Apple's limit for this type.
    ///
    /// `nil` for a type that iOS does not show.
    func byteLimit(pathExtension: String) -> Int? {
        AttachmentRule.byteLimit(pathExtension: pathExtension).map { min($0, ownLimit) }
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

    /// Returns Apple's largest size for this file name extension, in bytes; `nil` for a type that iOS does not show.
    package static func byteLimit(pathExtension: String) -> Int? {
        switch Kind(pathExtension: pathExtension) {
        case .audio: AppLimits.audioBytes
        case .image: AppLimits.imageBytes
        case .video: AppLimits.videoBytes
        case nil: nil
        }
    }

    /// Returns the file name extension of a response: the URL's, or, if the URL has none that iOS shows, the type's.
    ///
    /// A response without a type, or with `application/octet-stream`, is judged by its URL alone. The type must fit the URL, so
    /// that a login page is not taken for an image.
    ///
    /// - Returns: `nil` for a type that iOS does not show, and for a type that contradicts the URL.
    static func pathExtension(of url: URL, mimeType: String?) -> String? {
        let own = url.pathExtension
        guard let mimeType = mimeType?.lowercased(), mimeType != "application/octet-stream" else {
            return Kind(pathExtension: own) == nil ? nil : own
        }
        guard let kind = Kind(pathExtension: own) else { return extensions[mimeType] }
        return mimeType.hasPrefix("\(kind.rawValue)/") ? own : nil
    }

    private static let extensions = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "audio/mpeg": "mp3", "audio/mp4": "m4a",
        "audio/x-m4a": "m4a", "audio/wav": "wav", "audio/x-wav": "wav", "audio/aiff": "aiff", "audio/x-aiff": "aiff",
        "video/mp4": "mp4", "video/mpeg": "mpg", "video/x-msvideo": "avi",
    ]

    /// Returns the file's address in a payload: `media_url` beside `aps`, or Infobip's `internalData.atts[0].url`.
    static func text(in payload: [AnyHashable: Any]) -> String? {
        let internalData = payload["internalData"] as? [String: Any]
        let first = (internalData?["atts"] as? [[String: Any]])?.first
        return payload["media_url"] as? String ?? first?["url"] as? String
    }

    /// Returns the reason why a file may not be fetched; `nil` for `https`, and for `http` to this machine.
    static func refusal(of url: URL?) -> String? {
        guard let url, let scheme = url.scheme?.lowercased() else { return "its address is no URL" }
        let isLocal = url.host == "127.0.0.1" || url.host == "localhost"
        return scheme == "https" || (scheme == "http" && isLocal) ? nil : "its address is not https"
    }
}

/// Downloads one file piece by piece to disk, and stops as soon as it is clear that the file cannot be attached.
///
/// The response's status, type, announced length, or number of received bytes can make that clear.
///
/// `@unchecked`: the mutable state is used only on the session's queue, which is serial.
final class AttachmentDownload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let request: AttachmentRequest
    private let file: FileHandle
    private var byteCount = 0
    private var byteLimit = 0
    /// The file's name extension, once the answer has begun.
    private var pathExtension: String?
    private var isUnwanted = false
    /// Yields once, when the download is over.
    private let end = AsyncStream.makeStream(of: Result<String, AttachmentLoader.Failure>.self)

    private init(_ request: AttachmentRequest, file: FileHandle) {
        self.request = request
        self.file = file
    }

    /// Downloads the file; returns when it is complete.
    ///
    /// - Parameters:
    ///   - request: the file's address and its size limit.
    ///   - file: created here; the caller removes it, also after an error.
    /// - Returns: the file's name extension, by its URL or by its type.
    /// - Throws: the reason why there is no file: the server's answer, the size, or the time limit.
    static func run(
        _ request: AttachmentRequest, to file: URL
    ) async throws(AttachmentLoader.Failure) -> String {
        guard FileManager.default.createFile(atPath: file.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: file)
        else { throw AttachmentLoader.Failure(reason: "there is no room for it") }
        let download = AttachmentDownload(request, file: handle)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.timeoutIntervalForResource = AppLimits.attachmentSeconds
        let session = URLSession(configuration: configuration, delegate: download, delegateQueue: nil)
        session.dataTask(with: request.url).resume()
        var outcome: Result<String, AttachmentLoader.Failure> = .failure(
            AttachmentLoader.Failure(reason: "its time was over"))
        for await end in download.end.stream { outcome = end }
        // Not before: after a cancellation, Foundation on Linux keeps further received bytes in memory.
        session.invalidateAndCancel()
        return try outcome.get()
    }

    /// Ends the download: ``run(_:to:)`` returns at once, even if the server would send more.
    private func giveUp(_ reason: String) {
        isUnwanted = true
        finish(.failure(AttachmentLoader.Failure(reason: reason)))
    }

    private func finish(_ outcome: Result<String, AttachmentLoader.Failure>) {
        end.continuation.yield(outcome)
        end.continuation.finish()
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode
        pathExtension = AttachmentRule.pathExtension(of: request.url, mimeType: response.mimeType)
        byteLimit = pathExtension.flatMap(request.byteLimit) ?? 0
        if status != 200 {
            giveUp("its server said \(status ?? 0)")
        } else if pathExtension == nil {
            giveUp("its server calls it \(response.mimeType ?? "nothing")")
        } else if response.expectedContentLength > Int64(byteLimit) {
            giveUp("it is larger than \(byteLimit) bytes")
        }
        completionHandler(isUnwanted ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard !isUnwanted else { return }
        byteCount += data.count
        guard byteCount <= byteLimit else { return giveUp("it is larger than \(byteLimit) bytes") }
        do {
            try file.write(contentsOf: data)
        } catch {
            giveUp("it could not be written")
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if error == nil, let pathExtension {
            finish(.success(pathExtension))
        } else {
            finish(.failure(AttachmentLoader.Failure(reason: "its server did not answer")))
        }
    }
}
