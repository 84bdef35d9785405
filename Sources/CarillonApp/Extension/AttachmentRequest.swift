import Foundation

/// The file that a notification would like to have beside its text.
struct AttachmentRequest: Sendable {
    let url: URL
    /// In bytes: what the app allows, and at most what Apple does.
    let byteLimit: Int

    /// `nil` when the payload names no file, or one that may not be attached (``AttachmentRule``).
    init?(_ payload: [AnyHashable: Any], byteLimit: Int) {
        guard let url = AttachmentRule.url(in: payload),
            let limit = AttachmentRule.byteLimit(pathExtension: url.pathExtension)
        else { return nil }
        self.url = url
        self.byteLimit = min(limit, byteLimit)
    }
}
