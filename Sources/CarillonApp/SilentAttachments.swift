import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Fetches the attachments of silent messages, while the app is awake.
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
        /// The file, until iOS moves it away.
        var file: URL
        fileprivate var files: AttachmentFiles

        /// Removes the file, if iOS has not taken it.
        func remove() { files.remove() }
    }

    /// Downloads an attachment, within ``AppLimits/silentAttachmentTime``.
    ///
    /// - Parameters:
    ///   - request: the file's address and its size limit.
    ///   - identifier: the notification's identifier.
    /// - Returns: `nil` if there is none; the reason is reported.
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

    /// Removes the files of attachments that an ended process has left.
    func removeForgotten() async {
        await AttachmentFiles.removeForgotten(in: platform.directory, at: platform.clock.now)
    }

    /// Downloads the file, and returns its place: the attachment itself may not cross to the main actor.
    @concurrent private nonisolated static func load(
        _ request: AttachmentRequest, _ identifier: String, _ loader: AttachmentLoader
    ) async -> Result<URL, AttachmentLoader.Failure> {
        do { return .success(try await loader.attachment(for: request, identifier: identifier).url) } catch {
            return .failure(error)
        }
    }
}
