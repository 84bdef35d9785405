import CarillonCore
import Foundation

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Takes one file from its server, piece by piece to disk, and hangs up as soon as it is clear that it is not wanted: by
/// its status, its kind, the length that is announced, or the bytes that have come.
///
/// `@unchecked`: what changes is touched on the session's queue only, which is serial.
final class AttachmentDownload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let wish: AttachmentRequest
    private let file: FileHandle
    private var byteCount = 0
    private var isUnwanted = false
    /// `nil` in it: the file is there.
    private let end = AsyncStream.makeStream(of: AttachmentLoader.Failure?.self)

    /// How long all of it may take: what the system gives an extension.
    private static let secondLimit: TimeInterval = 30

    private init(_ wish: AttachmentRequest, file: FileHandle) {
        self.wish = wish
        self.file = file
    }

    /// - Parameter file: is made, and left to the caller to remove, whatever happens.
    static func run(_ wish: AttachmentRequest, to file: URL) async throws(AttachmentLoader.Failure) {
        guard FileManager.default.createFile(atPath: file.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: file)
        else { throw AttachmentLoader.Failure(reason: "there is no room for it") }
        let download = AttachmentDownload(wish, file: handle)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.timeoutIntervalForResource = secondLimit
        let session = URLSession(configuration: configuration, delegate: download, delegateQueue: nil)
        session.dataTask(with: wish.url).resume()
        var outcome: AttachmentLoader.Failure? = AttachmentLoader.Failure(reason: "its time was over")
        for await failure in download.end.stream { outcome = failure }
        // Not before: Foundation on Linux, once told to cancel, keeps in memory what still comes in.
        session.invalidateAndCancel()
        if let outcome { throw outcome }
    }

    /// Whoever waits goes on at once, however much more the server would send.
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
        } else if !AttachmentRule.allows(mimeType: response.mimeType, pathExtension: wish.url.pathExtension) {
            giveUp("its server calls it \(response.mimeType ?? "nothing")")
        } else if response.expectedContentLength > Int64(wish.byteLimit) {
            giveUp("it is larger than \(wish.byteLimit) bytes")
        }
        completionHandler(isUnwanted ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard !isUnwanted else { return }
        byteCount += data.count
        guard byteCount <= wish.byteLimit else {
            return giveUp("it is larger than \(wish.byteLimit) bytes")
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
