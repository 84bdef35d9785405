import CarillonCore
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Downloads a notification's attachment straight to a file, because an extension has only about 24 MB of memory.
package struct AttachmentLoader: Sendable {
    private let isOnline: @Sendable () -> Bool
    private let files: AttachmentFiles
    private let make: @Sendable (String, URL) throws -> UNNotificationAttachment

    /// The reason why a notification is shown without its attachment.
    package struct Failure: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// Creates a loader for one notification's attachment.
    ///
    /// - Parameters:
    ///   - isOnline: returns whether the phone has a network.
    ///   - files: the place on disk for the attachment's file.
    ///   - make: makes the attachment from an identifier and a file; the default is Apple's initialiser.
    package init(
        isOnline: @escaping @Sendable () -> Bool, files: AttachmentFiles,
        make: @escaping @Sendable (String, URL) throws -> UNNotificationAttachment = {
            try UNNotificationAttachment(identifier: $0, url: $1)
        }
    ) {
        self.isOnline = isOnline
        self.files = files
        self.make = make
    }

    /// Downloads the file and makes an attachment of it.
    ///
    /// - Parameters:
    ///   - request: the file's address and its size limit.
    ///   - identifier: the notification's identifier.
    /// - Returns: the attachment, with the notification's identifier.
    /// - Throws: ``Failure`` if the file cannot be downloaded, is too large, or is not of a type that iOS shows. In that case the
    ///   loader leaves no file.
    @concurrent nonisolated package func attachment(
        for request: AttachmentRequest, identifier: String
    ) async throws(Failure) -> UNNotificationAttachment {
        if let refusal = request.refusal { throw Failure(reason: refusal) }
        guard isOnline() else { throw Failure(reason: "the phone is offline") }
        guard files.prepare() else { throw Failure(reason: "there is no room for it") }
        do throws(Failure) {
            let pathExtension = try await AttachmentDownload.run(request, to: files.part)
            return try finished(identifier, pathExtension)
        } catch {
            files.remove()
            throw error
        }
    }

    private func finished(_ identifier: String, _ pathExtension: String) throws(Failure) -> UNNotificationAttachment {
        do { return try make(identifier, try files.finish(pathExtension: pathExtension)) } catch {
            throw Failure(reason: "it could not be kept: \(error)")
        }
    }
}

/// Downloads one file piece by piece to disk, and stops as soon as it is clear that the file cannot be attached.
///
/// The download stops if the response's status, type or announced length is wrong, or if too many bytes arrive.
///
/// `@unchecked`: the mutable state is used only on the serial delegate queue of the `URLSession`.
final class AttachmentDownload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let request: AttachmentRequest
    private let file: FileHandle
    private var byteCount = 0
    private var byteLimit = 0
    /// The file name extension; `nil` before the response begins.
    private var pathExtension: String?
    private var isUnwanted = false
    /// A stream with one element: the result of the download, when it is over.
    private let end = AsyncStream.makeStream(of: Result<String, AttachmentLoader.Failure>.self)

    private init(_ request: AttachmentRequest, file: FileHandle) {
        self.request = request
        self.file = file
    }

    /// Downloads the file; returns when it is complete.
    ///
    /// - Parameters:
    ///   - request: the file's address and its size limit.
    ///   - file: the file to write, which this method creates. The caller removes the file, even if this method throws.
    /// - Returns: the file name extension, from the URL or from the response's type.
    /// - Throws: an error with the reason why there is no file: the server's answer, the size, or the time limit.
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
        // Not earlier, because after a cancellation Foundation on Linux keeps further received bytes in memory.
        session.invalidateAndCancel()
        return try outcome.get()
    }

    /// Ends the download, so that ``run(_:to:)`` returns at once, even if the server would send more.
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
