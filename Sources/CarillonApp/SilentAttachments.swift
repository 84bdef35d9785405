import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// A downloader for the attachments of silent messages.
///
/// A silent message arrives in a silent push, and the SDK shows it as a local notification while iOS keeps the app awake.
@MainActor
final class SilentAttachments {
    private let platform: AppPlatform
    private let random: SharedRandomSource
    private let report: @Sendable (CarillonEvent) -> Void

    init(platform: AppPlatform, _ random: SharedRandomSource, report: @escaping @Sendable (CarillonEvent) -> Void) {
        self.platform = platform
        self.random = random
        self.report = report
    }

    /// A downloaded attachment.
    struct Attachment: Sendable {
        /// The URL of the downloaded file; iOS moves the file away when it accepts the notification request.
        var file: URL
        fileprivate var files: AttachmentFiles

        /// Removes the file, unless iOS has moved it away.
        func remove() { files.remove() }
    }

    /// Downloads an attachment, within ``AppLimits/silentAttachmentTime``.
    ///
    /// - Parameters:
    ///   - request: the file's address and its size limit.
    ///   - identifier: the notification's identifier.
    /// - Returns: the downloaded attachment; `nil` if the download fails or takes too long; this method then also reports the
    ///   failure.
    func fetch(_ request: AttachmentRequest, for identifier: String) async -> Attachment? {
        let files = AttachmentFiles(in: platform.directory, at: platform.clock.now, random)
        let loader = AttachmentLoader(isOnline: platform.isOnline, files: files)
        let outcome: Result<URL, AttachmentLoader.Failure>? = await TimeLimit.run(
            platform.clock, within: AppLimits.silentAttachmentTime
        ) {
            await Self.load(request, identifier, loader)
        }
        switch outcome {
        case .success(let file): return Attachment(file: file, files: files)
        case .failure(let failure): report(.attachmentFailed(identifier: identifier, reason: failure.reason))
        case nil: report(.attachmentFailed(identifier: identifier, reason: "its time was over"))
        }
        files.remove()
        return nil
    }

    /// Removes attachment files that a process left behind when it ended.
    func removeForgotten() async {
        await AttachmentFiles.removeForgotten(in: platform.directory, at: platform.clock.now)
    }

    /// Downloads the file and returns its URL, because the `UNNotificationAttachment` itself cannot be sent to the main actor.
    @concurrent private nonisolated static func load(
        _ request: AttachmentRequest, _ identifier: String, _ loader: AttachmentLoader
    ) async -> Result<URL, AttachmentLoader.Failure> {
        do { return .success(try await loader.attachment(for: request, identifier: identifier).url) } catch {
            return .failure(error)
        }
    }
}
