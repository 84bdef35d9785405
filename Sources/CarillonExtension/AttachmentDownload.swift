import CarillonCore
import CarillonMessaging
import Foundation

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

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
